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

/** Those who look after the daemons are lost, the one that leads too. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpawnerLossIT {
    private LongRunningJob crew;

    @BeforeAll
    void start() throws Exception {
        crew = new LongRunningJob("spawner-loss", 60);
    }

    @AfterAll
    void stop() throws IOException {
        crew.close();
    }

    @Test
    @Order(1)
    void oneThatDoesNotLeadIsReplaced() throws Exception {
        Map<String, String> before = crew.ready();
        String leader = crew.job().status("leader");
        List<String> victims = crew.job().runningSpawners().stream()
                .filter(pod -> !pod.equals(leader))
                .toList();
        crew.job().deleteAtOnce(victims);
        crew.job().awaitCrew(before, victims);
        crew.lookout().awaitIterating(Set.of());
        crew.countsDeleted(1);
    }

    @Test
    @Order(2)
    void theLeadIsSucceededAndReplaced() throws Exception {
        Map<String, String> before = crew.ready();
        String leader = crew.job().status("leader");
        assertNotEquals("", leader);
        crew.job().deleteAtOnce(List.of(leader));
        crew.job()
                .until(
                        "has another lead",
                        () -> !Set.of("", leader).contains(crew.job().status("leader")));
        crew.job().awaitCrew(before, List.of(leader));
        crew.lookout().awaitIterating(Set.of());
        crew.countsDeleted(1);
    }

    @Test
    @Order(3)
    void theAnswerIsCertifiedAllTheSame(@TempDir Path folder) throws Exception {
        crew.ends(folder);
    }
}
