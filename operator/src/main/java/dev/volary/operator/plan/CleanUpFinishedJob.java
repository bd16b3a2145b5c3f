// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.Instant;

/**
 * Deletes the pods of a finished job, except those kept for their logs and spawners that hold a result that no client has
 * fetched. Deletes the job once its time to live has expired.
 */
final class CleanUpFinishedJob implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (plan.status().roster() != null) {
            plan.change(next -> next.roster = null); // pods are not replaced any more
        }
        boolean isResultAwaited = JudgeResult.isOnSpawners(observation)
                && !Boolean.TRUE.equals(plan.status().resultFetched());
        observation.pods().stream()
                .filter(p -> !p.deleting() && !isKept(p, observation.spec().podRetention()))
                .filter(p -> !(isResultAwaited && p.pod().role() == PodRole.SPAWNER))
                .forEach(p -> plan.add(new OperatorAction.DeletePod(p)));
        deleteExpired(observation, plan);
    }

    private static void deleteExpired(JobObservation observation, ReconcilePlan plan) {
        Integer ttl = observation.spec().ttlSecondsAfterFinished();
        String completed = observation.status().completionTime();
        if (ttl == null || completed == null) {
            return;
        }
        Duration left = Duration.ofSeconds(ttl).minus(Duration.between(Instant.parse(completed), observation.now()));
        if (left.isZero() || left.isNegative()) {
            plan.add(new OperatorAction.PublishEvent(
                    EventReason.Expired,
                    "spec.ttlSecondsAfterFinished is " + ttl + ", and the job ended longer ago; it is deleted"));
            plan.add(new OperatorAction.DeleteJob());
        } else {
            plan.requeue(left);
        }
    }

    private static boolean isKept(ObservedPod pod, JobSpec.PodRetention retention) {
        return switch (retention) {
            case None -> false;
            case Failed -> PodClassifier.state(pod) == PodState.FAILED;
            case All -> true;
        };
    }
}
