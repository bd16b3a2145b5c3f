// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

/** Daemons are lost while the operator, or the whole API, is away: the job helps itself, and what happened is counted later. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperatorLossIT {
    /** Shorter than the 50 s after which Kubernetes, once the API is back, takes all nodes for lost and evicts their pods. */
    private static final Duration AWAY = Duration.ofSeconds(35);

    private LongRunningJob crew;

    @BeforeAll
    void start() throws Exception {
        crew = new LongRunningJob("operator-loss", 210);
    }

    @AfterAll
    void stop() throws IOException {
        crew.close();
    }

    @Test
    @Order(1)
    void aLossWithoutAnOperatorIsMadeUpForByAStandbyAndLaterByANewPod() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, 1);
        String replicas = Operator.replicas();
        Operator.scale("0");
        try {
            crew.survives(victims, () -> crew.job().deleteAtOnce(victims));
            assertEquals(before.size() - 1, crew.job().pods().size());
        } finally {
            Operator.scale(replicas);
        }
        crew.job().awaitCrew(before, victims);
        crew.counts(1);
    }

    @Test
    @Order(2)
    void aLossWhileTheLeadingOperatorIsKilledIsCountedOnceByTheOther() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, 1);
        String replicas = Operator.replicas();
        Operator.scale("2");
        try {
            String leader = Operator.leader();
            assertTrue(Operator.pods().contains(leader), leader);
            crew.survives(victims, () -> {
                Kubectl.run("-n", Operator.namespace(), "delete", "pod", leader, "--grace-period=0", "--force");
                crew.job().deleteAtOnce(victims);
            });
            crew.job().until("has another operator", () -> !List.of("", leader).contains(Operator.leader()));
            crew.job().awaitCrew(before, victims);
            crew.countsDeleted(1);
        } finally {
            Operator.scale(replicas);
        }
    }

    @Test
    @Order(3)
    @OnTestbed
    void aLossWithoutTheApiIsMadeUpForByAStandby() throws Exception {
        Map<String, String> before = crew.ready();
        List<String> victims = crew.computing().subList(0, 1);
        JsonObject victim = crew.job().pod(victims.getFirst());
        long since = System.nanoTime();
        Testbed.stopApi();
        try {
            crew.survives(victims, () -> Testbed.killProcess(victim));
            while (System.nanoTime() - since < AWAY.toNanos()) {
                crew.lookout().awaitIterating(Set.of());
            }
        } finally {
            Testbed.startApi();
        }
        crew.counts(1);
        assertEquals(before, crew.job().pods());
    }

    @Test
    @Order(4)
    void theAnswerIsCertifiedAllTheSame(@TempDir Path folder) throws Exception {
        crew.ends(folder);
    }
}
