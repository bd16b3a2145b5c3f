// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.EventReason;
import java.time.Duration;

/** Resumes a suspended job once {@code spec.suspend} is false and the spec is valid. */
final class ResumeJob implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (observation.spec().suspend() || !observation.errors().isEmpty()) {
            plan.add(new OperatorAction.ClearLeader()); // unless an earlier attempt has succeeded
            return;
        }
        plan.enter(Phase.Forming, ConditionReason.Forming, "spec.suspend is false again");
        plan.condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
        plan.add(new OperatorAction.ClearLeader());
        plan.add(new OperatorAction.PublishEvent(EventReason.Resumed, "spec.suspend is false again"));
        plan.requeue(Duration.ZERO);
    }
}
