// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.EventReason;
import java.time.Duration;

/** Starts a suspended job again once it may run. */
final class ResumeJob implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (seen.spec().suspend() || !seen.faults().isEmpty()) {
            return;
        }
        draft.enter(Phase.Forming, ConditionReason.Forming, "spec.suspend is false again");
        draft.condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
        draft.then(new OperatorAction.WithdrawLead());
        draft.then(new OperatorAction.Tell(EventReason.Resumed, "spec.suspend is false again"));
        draft.lookAgain(Duration.ZERO);
    }
}
