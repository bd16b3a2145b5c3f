// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Whole machines are lost. Kubernetes notices after most of a minute; the job does not wait for that. */
@OnCluster
@OnTestbed
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodeLossIT {
    private LongRunningJob running;

    @BeforeAll
    void start() throws Exception {
        running = new LongRunningJob("node-loss", 180);
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
    }

    @Test
    @Order(1)
    void daemonsOfANodeThatIsCutOffAreReplacedAndFencedWhenItComesBack() throws Exception {
        Map<String, String> before = running.ready();
        String node = aNodeToLose();
        Set<String> there = running.job().podsOn(node);
        List<String> victims =
                running.computing().stream().filter(there::contains).toList();
        try {
            running.survives(victims, () -> {
                running.observer().passOver(there);
                Testbed.cutOff(node);
            });
            assertEquals("True", ready(node), "Kubernetes has not noticed yet");
        } finally {
            Testbed.connect(node);
            running.observer().passOverNone();
        }
        for (String victim : victims) {
            running.job()
                    .until(
                            "fences " + victim,
                            () -> running.job().restarts(victim) > 0
                                    || running.job().said(victim).contains("this worker was evicted from the job"));
        }
        running.ready();
        running.counts(0);
        assertEquals(before, running.job().pods());
    }

    @Test
    @Order(2)
    void blocksOfANodeThatIsPoweredOffIterateAgainBeforeKubernetesNotices() throws Exception {
        Map<String, String> before = running.ready();
        String node = aNodeToLose();
        Set<String> there = running.job().podsOn(node);
        List<String> victims =
                running.computing().stream().filter(there::contains).toList();
        try {
            running.survives(victims, () -> {
                running.observer().passOver(there);
                Testbed.powerOff(node);
            });
            assertEquals("True", ready(node), "Kubernetes has not noticed yet");
            running.job().awaitAllRunning(before, there);
            running.counts(there.size());
            assertEquals("Unknown", ready(node));
        } finally {
            Testbed.powerOn(node);
            running.observer().passOverNone();
        }
        running.job().until("has its node back", () -> ready(node).equals("True"));
        running.job()
                .until(
                        "leaves nothing on it",
                        () -> running.job().podsOn(node).stream().noneMatch(there::contains));
    }

    @Test
    @Order(3)
    void theResultIsCertified(@TempDir Path folder) throws Exception {
        running.ends(folder);
    }

    /** A node with a daemon that computes; preferably without the leader, and without an operator, which would have to move. */
    private String aNodeToLose() throws Exception {
        String leader = running.job().node(running.job().leader());
        List<String> operators = Operator.nodes();
        Set<String> nodes = new TreeSet<>();
        for (String pod : running.computing()) {
            nodes.add(running.job().node(pod));
        }
        return nodes.stream()
                .min(Comparator.comparing(operators::contains).thenComparing(leader::equals))
                .orElseThrow();
    }

    /** The node's condition, as Kubernetes sees it. */
    private static String ready(String node) throws IOException, InterruptedException {
        return Kubectl.run("get", "node", node, "-o", "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}");
    }
}
