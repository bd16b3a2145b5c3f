// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodState;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes the pods of a finished job, except spawners that hold a result that no client has fetched or shall get a copy of it, and
 * those kept for their logs, which it stops. Deletes the job once its time to live has expired.
 */
final class CleanUpFinishedJob implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (plan.status().roster() != null) {
            plan.change(next -> next.roster = null); // losses are not counted any more
        }
        boolean isResultAwaited = JudgeResult.isOnSpawners(observation, plan);
        long holders = observation.pods().stream()
                .filter(pod -> pod.pod().role() == PodRole.SPAWNER && !pod.deleting() && pod.mayHoldResult())
                .count();
        boolean isHolderMissing =
                isResultAwaited && holders < ReplaceHolders.holders(observation) && !JudgeResult.isLost(observation);
        for (ObservedPod pod : observation.pods()) {
            boolean mayHoldResult = isResultAwaited && pod.pod().role() == PodRole.SPAWNER && pod.mayHoldResult();
            boolean mayGetCopy = isHolderMissing
                    && pod.pod().role() == PodRole.SPAWNER
                    && pod.lifecycle() == ObservedPod.Lifecycle.PENDING;
            if (pod.deleting() || mayHoldResult || mayGetCopy) {
                continue;
            }
            if (!isKept(pod, observation)) {
                plan.add(new OperatorAction.DeletePod(pod));
            } else if (observation.phase() == Phase.Failed && !pod.hasEnded()) {
                plan.add(new OperatorAction.StopPod(pod)); // otherwise its container would be restarted
            }
        }
        deleteExpired(observation, plan);
    }

    private static void deleteExpired(JobObservation observation, ReconcilePlan plan) {
        Optional<TimeToLive> time = TimeToLive.of(observation);
        if (time.isEmpty()) {
            return;
        }
        Duration left = Duration.between(observation.now(), time.get().deletion());
        if (left.isPositive()) {
            plan.requeue(left);
            return;
        }
        plan.add(new OperatorAction.DeleteJob("spec.ttlSecondsAfterFinished is "
                + observation.spec().ttlSecondsAfterFinished()
                + ", and the job ended, or its result was fetched, longer ago; the job is deleted"));
    }

    /**
     * Whether the log of a pod is kept. Of a failed job, the spawners know why it failed, and so do workers that failed before:
     * their containers were restarted, and {@code kubectl logs --previous} shows the log of the earlier one.
     */
    private static boolean isKept(ObservedPod pod, JobObservation observation) {
        if (pod.lifecycle() == ObservedPod.Lifecycle.PENDING) {
            return false; // it has no log
        }
        return switch (observation.spec().podRetention()) {
            case None -> false;
            case Failed ->
                PodClassifier.state(pod) == PodState.FAILED
                        || (observation.phase() == Phase.Failed
                                && (pod.pod().role() == PodRole.SPAWNER || pod.restarts() > 0));
            case All -> true;
        };
    }
}
