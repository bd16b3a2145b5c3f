// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.EventReason;

/** Lets a job start forming, and has the objects it consists of kept in place. */
final class EnsureResources implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (draft.phase() == Phase.Pending) {
            draft.enter(Phase.Forming, ConditionReason.Forming, "");
            draft.change(next -> {
                if (next.blocks == null) {
                    Integer given = seen.spec().blocks();
                    next.blocks = given == null ? seen.spec().daemons().replicas() : given;
                }
            });
            draft.then(new OperatorAction.Tell(EventReason.Forming, "workers are started"));
        }
        if (draft.phase() == Phase.Forming || draft.phase() == Phase.Running) {
            draft.then(new OperatorAction.EnsureObjects());
        }
    }
}
