package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;

/** Writes that a job has failed. */
final class Ending {
    private Ending() {}

    static void fail(Draft draft, Reason reason, String message) {
        draft.enter(Phase.Failed, reason, message);
        draft.condition(ConditionType.Failed, true, reason, message);
        draft.condition(ConditionType.Converged, false, Reason.NotConverged, "");
        draft.condition(ConditionType.Ready, false, Reason.Finished, "");
        draft.condition(ConditionType.Degraded, false, Reason.Finished, "");
        draft.then(new Action.Tell(Happening.Failed, message));
    }
}
