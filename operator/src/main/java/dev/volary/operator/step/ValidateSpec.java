// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.EventReason;
import io.fabric8.kubernetes.api.model.Condition;

/** Says what is wrong with a spec; a job that waits goes on waiting, one that runs goes on as it was. */
final class ValidateSpec implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (seen.faults().isEmpty()) {
            return;
        }
        String message = String.join("; ", seen.faults());
        boolean known = Conditions.find(seen.status().conditions(), ConditionType.Ready)
                .map(Condition::getMessage)
                .filter(message::equals)
                .isPresent();
        if (!known) {
            draft.then(new OperatorAction.Tell(EventReason.InvalidSpec, message));
        }
        draft.condition(ConditionType.Ready, false, ConditionReason.InvalidSpec, message);
    }
}
