// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.EventReason;

/** Writes that a job has failed. */
final class Ending {
    private Ending() {}

    static void fail(ReconcilePlan draft, ConditionReason reason, String message) {
        draft.enter(Phase.Failed, reason, message);
        draft.condition(ConditionType.Failed, true, reason, message);
        draft.condition(ConditionType.Converged, false, ConditionReason.NotConverged, "");
        draft.condition(ConditionType.Ready, false, ConditionReason.Finished, "");
        draft.condition(ConditionType.Degraded, false, ConditionReason.Finished, "");
        draft.then(new OperatorAction.Tell(EventReason.Failed, message));
    }
}
