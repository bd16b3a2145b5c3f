// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.Role;

/** Deletes the pods of a job that is over, except those kept for their logs and those that hold a result nobody has fetched. */
final class CleanUpFinishedJob implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (draft.status().roster() != null) {
            draft.change(next -> next.roster = null); // nothing is replaced any more
        }
        boolean awaited = JudgeResult.isOnSpawners(seen)
                && !Boolean.TRUE.equals(draft.status().resultFetched());
        seen.pods().stream()
                .filter(p -> !p.deleting() && !isKept(p, seen.spec().podRetention()))
                .filter(p -> !(awaited && p.pod().role() == Role.SPAWNER))
                .forEach(p -> draft.then(new OperatorAction.DeletePod(p)));
    }

    private static boolean isKept(ObservedPod pod, JobSpec.PodRetention retention) {
        return switch (retention) {
            case None -> false;
            case Failed -> PodClassifier.judge(pod) == PodState.FAILED;
            case All -> true;
        };
    }
}
