// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More daemons than a job began with, then fewer: its blocks follow, and nothing counts as lost. */
@OnCluster
class ScalingIT {
    private static final int FEW = 2;
    private static final int SPAWNERS = 2;
    private static final int STANDBYS = 1;

    @Test
    void blocksAreAssignedAmongTheDaemonsThatAreThere(@TempDir Path folder) throws Exception {
        String spec = Specs.lasting(60).replace("replicas: " + Specs.BLOCKS, "replicas: " + FEW) + "blocks: "
                + Specs.BLOCKS + "\n";
        try (ClusterJob job = new ClusterJob("scaling", spec);
                BlockObserver observer = new BlockObserver(job)) {
            observer.awaitIterating(Set.of());
            assertEquals(FEW, observer.whole().pods().size());
            Map<String, String> first = job.pods();

            scale(job, Specs.BLOCKS);
            job.until("computes with all daemons", () -> observer.whole().pods().size() == Specs.BLOCKS);
            observer.awaitIterating(Set.of());
            assertEquals(first, both(first, job.pods()), "pods that were there before");

            scale(job, FEW);
            job.until("has fewer daemons", () -> job.pods().size() == SPAWNERS + FEW + STANDBYS);
            job.until(
                    "computes with those that stay",
                    () -> job.pods().keySet().containsAll(observer.whole().pods()));
            observer.awaitIterating(Set.of());

            job.awaitSuccess();
            assertEquals(Losses.NONE, job.losses());
            Certificates.check(Fetched.of(job, folder));
        }
    }

    private static Map<String, String> both(Map<String, String> before, Map<String, String> now) {
        now.keySet().retainAll(before.keySet());
        return now;
    }

    private static void scale(ClusterJob job, int daemons) throws IOException, InterruptedException {
        Kubectl.run("-n", job.namespace(), "scale", "ij/" + job.name(), "--replicas=" + daemons);
    }
}
