// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.EventReason;
import java.time.temporal.ChronoUnit;

/** Takes a new job up, and notes which generation of its spec the status speaks of. */
final class InitializeStatus implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (seen.status().phase() == null) {
            draft.enter(Phase.Pending, ConditionReason.Forming, "accepted");
            draft.change(next -> {
                next.startTime = seen.now().truncatedTo(ChronoUnit.SECONDS).toString();
                next.selector = Labels.daemonSelector(seen.name());
                next.serials = new JobStatus.Serials(-1, -1);
                next.replacements = new JobStatus.Replacements(0, 0, 0, 0);
                next.retriesUsed = 0;
            });
            draft.then(new OperatorAction.Tell(EventReason.Accepted, "the operator has taken the job up"));
        }
        draft.change(next -> next.observedGeneration = seen.generation());
    }
}
