// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobEvent;
import dev.volary.mesh.v1.NumberedEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A synchronous job loses a daemon: all blocks roll back to a checkpoint, and the replacement computes. */
@OnCluster
class LockStepIT {
    /** Whatever is kept in memory begins some seconds after the first iteration. */
    private static final int SECONDS = 75;

    @Test
    void afterADeletedPodAllBlocksRollBackAndTheReplacementComputes(@TempDir Path folder) throws Exception {
        String spec = Specs.lasting(SECONDS).replace("standbys: 1", "standbys: 0") + "scheme: Synchronous\n";
        try (ClusterJob job = new ClusterJob("lock-step", spec);
                BlockObserver observer = new BlockObserver(job)) {
            observer.awaitIterating(Set.of());
            job.until("has a checkpoint of all blocks", () -> {
                List<Long> backups = observer.whole().places().values().stream()
                        .map(Blocks.Place::backup)
                        .distinct()
                        .toList();
                return backups.size() == 1 && backups.getFirst() > 0;
            });
            Map<String, String> before = job.pods();
            String victim = observer.whole().pods().getFirst();
            Set<Long> lost = observer.whole().workers(List.of(victim));

            Kubectl.run("-n", job.namespace(), "delete", "pod", victim, "--wait=false");
            observer.awaitIterating(lost);
            List<Long> rollbacks = rollbacks(job);
            assertTrue(
                    !rollbacks.isEmpty() && rollbacks.stream().allMatch(iteration -> iteration > 0),
                    () -> "rollbacks to iterations " + rollbacks);

            job.awaitAllRunning(before, List.of(victim));
            job.until("computes with all daemons", () -> observer.whole().pods().size() == Specs.BLOCKS);
            observer.awaitIterating(lost);
            job.awaitSuccess();
            assertEquals(1, job.losses().taken());
            assertTrue(
                    rollbacks(job).stream().allMatch(iteration -> iteration > 0),
                    () -> "rollbacks to iterations " + rollbacks);
            Certificates.check(Fetched.of(job, folder));
        }
    }

    /** The iterations that all blocks rolled back to, as the spawners report. */
    private static List<Long> rollbacks(ClusterJob job) throws Exception {
        List<Long> iterations = new ArrayList<>();
        for (String pod : job.runningSpawners()) {
            try (Spawner spawner = Spawner.of(job, pod)) {
                spawner.client().status(0).getEventsList().stream()
                        .map(NumberedEvent::getEvent)
                        .filter(JobEvent::hasRolledBack)
                        .forEach(event -> iterations.add(event.getRolledBack().getIteration()));
            }
        }
        return iterations;
    }
}
