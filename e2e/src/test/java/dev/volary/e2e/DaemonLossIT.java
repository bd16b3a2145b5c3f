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
    private LongRunningJob crew;

    @BeforeAll
    void start() throws Exception {
        crew = new LongRunningJob("daemon-loss", 90);
    }

    @AfterAll
    void stop() throws IOException {
        crew.close();
    }

    @Test
    @Order(1)
    void halfOfThemAtOnceAreReplaced() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, Specs.BLOCKS / 2);
        crew.survives(victims, () -> crew.job().deleteAtOnce(victims));
        crew.job().awaitCrew(before, victims);
        crew.countsDeleted(victims.size());
    }

    @Test
    @Order(2)
    void oneThatIsDeletedWithoutGraceIsReplaced() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, 1);
        crew.survives(victims, () -> crew.job().deleteAtOnce(victims));
        crew.job().awaitCrew(before, victims);
        crew.countsDeleted(1);
    }

    @Test
    @Order(3)
    void oneThatIsKilledInItsContainerStartsAgainInItsPod() throws Exception {
        Map<String, String> before = crew.ready();
        String victim = crew.computing().getFirst();
        int restarts = crew.job().restarts(victim);
        crew.survives(List.of(victim), () -> kill(victim));
        crew.job().until("starts the container again", () -> crew.job().restarts(victim) == restarts + 1);
        assertEquals(before, crew.job().pods());
        crew.counts(1);
    }

    @Test
    @Order(4)
    void oneThatIsEvictedIsReplaced() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, 1);
        crew.survives(victims, () -> crew.job().evict(victims.getFirst()));
        crew.job().awaitCrew(before, victims);
        crew.counts(1);
    }

    @Test
    @Order(5)
    void theAnswerIsCertifiedAllTheSame(@TempDir Path folder) throws Exception {
        crew.ends(folder);
    }

    /** SIGKILL from the node where the test may go there; else the process ends itself as if it had come. */
    private void kill(String victim) throws Exception {
        if (Testbed.isThere()) {
            Testbed.killProcess(crew.job().pod(victim));
            return;
        }
        for (String pod : crew.job().runningSpawners()) {
            try (Spawner spawner = Spawner.of(crew.job(), pod)) {
                if (spawner.client().kill(List.of(victim)).getKilledCount() > 0) {
                    return; // one of them looks after it
                }
            }
        }
        throw new AssertionError("no spawner knows " + victim);
    }
}
