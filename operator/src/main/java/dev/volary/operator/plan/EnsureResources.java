// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.EventReason;

/** Moves a pending job to the phase Forming, and ensures that the objects of an active job exist. */
final class EnsureResources implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (plan.phase() == Phase.Pending) {
            plan.enter(Phase.Forming, ConditionReason.Forming, "");
            plan.change(next -> {
                if (next.blocks == null) {
                    Integer given = observation.spec().blocks();
                    next.blocks = given == null ? observation.spec().daemons().replicas() : given;
                }
            });
            plan.add(new OperatorAction.PublishEvent(EventReason.Forming, "the operator starts the workers"));
        }
        if (plan.phase() == Phase.Forming || plan.phase() == Phase.Running) {
            plan.add(new OperatorAction.CreateResources());
        }
    }
}
