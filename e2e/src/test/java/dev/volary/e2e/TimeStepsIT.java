// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job in time steps, without a checkpoint volume. */
@OnCluster
class TimeStepsIT {
    private static final int STEPS = 6;

    @Test
    void aLostDaemonsBlocksGoOnFromTheCommittedStep(@TempDir Path folder) throws Exception {
        try (ClusterJob job = new ClusterJob("time-steps", Specs.timeSteps(48, STEPS));
                BlockObserver observer = new BlockObserver(job)) {
            job.awaitWorkers(Specs.ALL_WORKERS);
            job.until("has committed two steps", () -> committed(job) >= 2);
            observer.awaitIterating(Set.of());
            String victim = observer.whole().pods().getFirst();
            job.deleteAtOnce(List.of(victim));
            assertTrue(committed(job) < STEPS, "it is over too soon");
            job.until(
                    "predicts its end",
                    () -> !job.status("predictedCompletionTime").isEmpty());
            job.awaitSuccess();
            assertEquals(0, job.count("retriesUsed"));
            assertEquals(STEPS, fetchedStep(job, folder));
        }
    }

    /** Another job keeps both cores busy meanwhile, so that parts and steps travel slowly. */
    @Test
    void aBusyMachineCostsNoStep(@TempDir Path folder) throws Exception {
        int steps = 2;
        try (ClusterJob busy = new ClusterJob("busy", Specs.few(Specs.busy()))) {
            busy.until("computes", () -> busy.status("phase").equals("Running"));
            try (ClusterJob job = new ClusterJob("busy-steps", Specs.few(Specs.timeSteps(32, steps)))) {
                job.awaitSuccess();
                assertEquals("Running", busy.status("phase"), "the machine was not busy to the end");
                assertEquals(steps, fetchedStep(job, folder));
            }
        }
    }

    /** The step whose vector is the result that a user gets, certified. */
    private static int fetchedStep(ClusterJob job, Path folder) throws Exception {
        VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
        assertEquals(0, said.status(), said.text());
        ResultAttributes result = ResultAttributes.of(
                ZarrGroup.open(folder.resolve("result.zarr")).attributes());
        assertTrue(result.certified(), result::toString);
        return result.step();
    }

    /** The newest step that any spawner knows to be committed. */
    private static int committed(ClusterJob job) throws Exception {
        int newest = 0;
        for (String pod : job.runningSpawners()) {
            try (Spawner spawner = Spawner.of(job, pod)) {
                newest = spawner.client().status(0).getEventsList().stream()
                        .filter(event -> event.getEvent().hasStepCommitted())
                        .mapToInt(event -> event.getEvent().getStepCommitted().getStep())
                        .reduce(newest, Math::max);
            }
        }
        return newest;
    }
}
