package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import java.time.Duration;

/** Starts a suspended job again once it may run. */
final class ResumeJob implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (seen.spec().suspend() || !seen.faults().isEmpty()) {
            return;
        }
        draft.enter(Phase.Forming, Reason.Forming, "spec.suspend is false again");
        draft.condition(ConditionType.Suspended, false, Reason.NotSuspended, "");
        draft.then(new Action.WithdrawLead());
        draft.then(new Action.Tell(Happening.Resumed, "spec.suspend is false again"));
        draft.lookAgain(Duration.ZERO);
    }
}
