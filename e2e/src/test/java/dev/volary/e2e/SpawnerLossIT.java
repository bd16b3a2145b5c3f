// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Spawners are lost, the leader too. */
@OnSharedCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpawnerLossIT {
    private LongRunningJob running;

    @BeforeAll
    void start() throws Exception {
        running = new LongRunningJob("spawner-loss", 60);
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
    }

    @Test
    @Order(1)
    void aSpawnerThatIsNotTheLeaderIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        String leader = running.job().leader();
        List<String> victims = running.job().runningSpawners().stream()
                .filter(pod -> !pod.equals(leader))
                .toList();
        running.job().deleteAtOnce(victims);
        running.job().awaitAllRunning(before, victims);
        running.observer().awaitIterating(Set.of());
        running.countsDeleted(1);
    }

    @Test
    @Order(2)
    void theLeaderIsSucceededAndReplaced() throws Exception {
        Map<String, String> before = running.ready();
        String leader = running.job().leader();
        assertNotEquals("", leader);
        running.job().deleteAtOnce(List.of(leader));
        running.job()
                .until(
                        "has another lead",
                        () -> !Set.of("", leader).contains(running.job().status("leader")));
        running.job().awaitAllRunning(before, List.of(leader));
        running.observer().awaitIterating(Set.of());
        running.countsDeleted(1);
    }

    @Test
    @Order(3)
    void theResultIsCertified(@TempDir Path folder) throws Exception {
        running.ends(folder);
    }
}
