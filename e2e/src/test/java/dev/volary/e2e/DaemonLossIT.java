// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Daemons are lost while they compute, in every way that a platform knows; no retry is used up, and the answer is certified. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DaemonLossIT {
    private LongRunningJob running;

    @BeforeAll
    void start() throws Exception {
        running = new LongRunningJob("daemon-loss", 90);
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
    }

    @Test
    @Order(1)
    void halfOfThemAtOnceAreReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, Specs.BLOCKS / 2);
        running.survives(victims, () -> running.job().deleteAtOnce(victims));
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(victims.size());
    }

    @Test
    @Order(2)
    void aDaemonThatIsDeletedWithoutGraceIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        running.survives(victims, () -> running.job().deleteAtOnce(victims));
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(1);
    }

    @Test
    @Order(3)
    void aDaemonThatIsKilledInItsContainerRestartsInItsPod() throws Exception {
        Map<String, String> before = running.ready();
        String victim = running.computing().getFirst();
        int restarts = running.job().restarts(victim);
        running.survives(List.of(victim), () -> kill(victim));
        running.job().until("starts the container again", () -> running.job().restarts(victim) == restarts + 1);
        assertEquals(before, running.job().pods());
        running.counts(1);
    }

    @Test
    @Order(4)
    void anEvictedDaemonIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        running.survives(victims, () -> running.job().evict(victims.getFirst()));
        running.job().awaitAllRunning(before, victims);
        running.counts(1);
    }

    @Test
    @Order(5)
    void theResultIsCertified(@TempDir Path folder) throws Exception {
        running.ends(folder);
    }

    /** SIGKILL from the node where the test may go there; else the process ends itself as if it had come. */
    private void kill(String victim) throws Exception {
        if (Testbed.isThere()) {
            Testbed.killProcess(running.job().pod(victim));
            return;
        }
        for (String pod : running.job().runningSpawners()) {
            try (Spawner spawner = Spawner.of(running.job(), pod)) {
                if (spawner.client().kill(List.of(victim)).getKilledCount() > 0) {
                    return; // one of them owns its group
                }
            }
        }
        throw new AssertionError("no spawner knows " + victim);
    }
}
