// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.pod.PodRole;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces spawners of a finished job that are lost or about to end, while a client awaits the result and one spawner may still
 * hold it: spawners copy it among each other.
 */
final class ReplaceHolders implements ReconcileStep {
    /** As many spawners hold a result at the end of a job that has as many. */
    private static final int HOLDERS = 2;

    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (!JudgeResult.isOnSpawners(observation, plan) || JudgeResult.isLost(observation)) {
            return;
        }
        List<OperatorAction.NewPod> created = new ArrayList<>();
        long counted = observation.counted(PodRole.SPAWNER).count();
        ScaleWorkers.create(observation, plan, PodRole.SPAWNER, (int) (holders(observation) - counted), created);
        if (!created.isEmpty()) {
            plan.add(new OperatorAction.CreatePods(created));
        }
    }

    /** How many spawners shall hold the result of the job. */
    static int holders(JobObservation observation) {
        return Math.min(HOLDERS, observation.spec().spawnerCount());
    }
}
