package dev.volary.operator.step;

import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import io.fabric8.kubernetes.api.model.Condition;

/** Says what is wrong with a spec; a job that waits goes on waiting, one that runs goes on as it was. */
final class CheckSpec implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (seen.faults().isEmpty()) {
            return;
        }
        String message = String.join("; ", seen.faults());
        boolean known = Conditions.find(seen.status().conditions(), ConditionType.Ready)
                .map(Condition::getMessage)
                .filter(message::equals)
                .isPresent();
        if (!known) {
            draft.then(new Action.Tell(Happening.InvalidSpec, message));
        }
        draft.condition(ConditionType.Ready, false, Reason.InvalidSpec, message);
    }
}
