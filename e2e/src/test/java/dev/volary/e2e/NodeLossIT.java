// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
    private static final Pattern SPAWNER = Pattern.compile(".*-s-\\d+");

    /** A spawner that finds another silent waits for ten time-outs when no other worker confirms its verdict. */
    private static final Duration LONG_SILENCE = Duration.ofSeconds(26);

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
        long cutOff = System.nanoTime();
        try {
            running.survives(victims, () -> {
                running.observer().passOver(there);
                Testbed.cutOff(node);
            });
            // Blocks whose whole group is on the node take three time-outs of the job, 30 s, to iterate again.
            Thread.sleep(LONG_SILENCE.minusNanos(System.nanoTime() - cutOff));
            assertEquals("True", ready(node), "Kubernetes has not noticed yet");
        } finally {
            Testbed.connect(node);
            running.observer().passOverNone();
        }
        for (String victim : victims) {
            running.job().until("fences " + victim, () -> isFenced(victim));
        }
        running.ready();
        running.counts(0);
        assertEquals(before, running.job().pods());
        for (String pod : before.keySet()) {
            assertTrue(there.contains(pod) || !isFenced(pod), pod + " was evicted by a worker that was cut off");
        }
    }

    private boolean isFenced(String pod) throws Exception {
        return running.job().restarts(pod) > 0
                || running.job().said(pod).contains("this worker was evicted from the job");
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

    /**
     * A node with a daemon that computes; preferably without an operator, which would have to move, and with the spawner that does not
     * lead.
     */
    private String aNodeToLose() throws Exception {
        String leader = running.job().node(running.job().leader());
        List<String> operators = Operator.nodes();
        Set<String> spawners = new TreeSet<>();
        for (String pod : running.job().pods().keySet()) {
            if (SPAWNER.matcher(pod).matches()) {
                spawners.add(running.job().node(pod));
            }
        }
        Set<String> nodes = new TreeSet<>();
        for (String pod : running.computing()) {
            nodes.add(running.job().node(pod));
        }
        return nodes.stream()
                .min(Comparator.comparing(operators::contains)
                        .thenComparing(leader::equals)
                        .thenComparing(node -> !spawners.contains(node)))
                .orElseThrow();
    }

    /** The node's condition, as Kubernetes sees it. */
    private static String ready(String node) throws IOException, InterruptedException {
        return Kubectl.run("get", "node", node, "-o", "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}");
    }
}
