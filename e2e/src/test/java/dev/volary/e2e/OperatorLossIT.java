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

    private LongRunningJob running;

    @BeforeAll
    void start() throws Exception {
        running = new LongRunningJob("operator-loss", 185);
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
    }

    @Test
    @Order(1)
    void aLossWithoutAnOperatorIsMadeUpForByAStandbyAndLaterByANewPod() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        String replicas = Operator.replicas();
        Operator.scale("0");
        try {
            running.survives(victims, () -> running.job().deleteAtOnce(victims));
            assertEquals(before.size() - 1, running.job().pods().size());
        } finally {
            Operator.scale(replicas);
        }
        running.job().awaitAllRunning(before, victims);
        running.counts(1);
    }

    @Test
    @Order(2)
    void aLossWhileTheLeadingOperatorIsKilledIsCountedOnceByTheOther() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        String replicas = Operator.replicas();
        Operator.scale("2");
        try {
            String leader = Operator.leader();
            assertTrue(Operator.pods().contains(leader), leader);
            running.survives(victims, () -> {
                Kubectl.run("-n", Operator.namespace(), "delete", "pod", leader, "--grace-period=0", "--force");
                running.job().deleteAtOnce(victims);
            });
            running.job()
                    .until("has another operator", () -> !List.of("", leader).contains(Operator.leader()));
            running.job().awaitAllRunning(before, victims);
            running.countsDeleted(1);
        } finally {
            Operator.scale(replicas);
        }
    }

    @Test
    @Order(3)
    @OnTestbed
    void aLossWithoutTheApiIsMadeUpForByAStandby() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        JsonObject victim = running.job().pod(victims.getFirst());
        long since = System.nanoTime();
        Testbed.stopApi();
        try {
            running.survives(victims, () -> Testbed.killProcess(victim));
            while (System.nanoTime() - since < AWAY.toNanos()) {
                running.observer().awaitIterating(Set.of());
            }
        } finally {
            Testbed.startApi();
        }
        running.counts(1);
        assertEquals(before, running.job().pods());
    }

    @Test
    @Order(4)
    void theResultIsCertified(@TempDir Path folder) throws Exception {
        running.ends(folder);
    }
}
