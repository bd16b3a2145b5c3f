// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Phase;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.EventReason;
import java.time.temporal.ChronoUnit;

/** Initializes the status of a new job, and records the generation of the spec that the status describes. */
final class InitializeStatus implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (observation.status().phase() == null) {
            plan.enter(Phase.Pending, ConditionReason.Forming, "accepted");
            plan.change(next -> {
                next.startTime =
                        observation.now().truncatedTo(ChronoUnit.SECONDS).toString();
                next.selector = Labels.daemonSelector(observation.name());
                next.serials = new JobStatus.Serials(-1, -1);
                next.replacements = new JobStatus.Replacements(0, 0, 0, 0);
                next.retriesUsed = 0;
            });
            plan.add(new OperatorAction.PublishEvent(EventReason.Accepted, "the operator accepted the job"));
            observation
                    .warnings()
                    .forEach(warning -> plan.add(new OperatorAction.PublishEvent(EventReason.ClaimOnOneNode, warning)));
        }
        plan.change(next -> next.observedGeneration = observation.generation());
    }
}
