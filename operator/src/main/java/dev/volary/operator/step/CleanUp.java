package dev.volary.operator.step;

import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodTable;
import dev.volary.operator.pod.Role;

/** Deletes the pods of a job that is over, except those kept for their logs and those that hold a result nobody has fetched. */
final class CleanUp implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (draft.status().roster() != null) {
            draft.change(next -> next.roster = null); // nothing is replaced any more
        }
        boolean awaited = JudgeResult.isOnSpawners(seen)
                && !Boolean.TRUE.equals(draft.status().resultFetched());
        seen.pods().stream()
                .filter(p -> !p.deleting() && !isKept(p, seen.spec().podRetention()))
                .filter(p -> !(awaited && p.pod().role() == Role.SPAWNER))
                .forEach(p -> draft.then(new Action.DeletePod(p)));
    }

    private static boolean isKept(PodFacts pod, JobSpec.PodRetention retention) {
        return switch (retention) {
            case None -> false;
            case Failed -> PodTable.judge(pod) == PodState.FAILED;
            case All -> true;
        };
    }
}
