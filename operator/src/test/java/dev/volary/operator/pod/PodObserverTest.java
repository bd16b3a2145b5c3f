// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodObserverTest {
    private static final ObservedNode NOT_READY = new ObservedNode(NodeState.NOT_READY, Optional.empty(), true);

    @Test
    void aPodWithoutAStatusIsPending() {
        ObservedPod facts = read(named("heat-d-7").build());
        assertEquals(new PodName(PodRole.DAEMON, 7), facts.pod());
        assertEquals(ObservedPod.Lifecycle.PENDING, facts.lifecycle());
        assertFalse(facts.ready());
    }

    @Test
    void theStatusIsReadFieldByField() {
        ObservedPod facts = read(named("heat-s-0")
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withReason("NodeLost")
                .withPodIP("10.1.2.3")
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endCondition()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName("sidecar")
                .withRestartCount(9)
                .endContainerStatus()
                .addNewContainerStatus()
                .withName("worker")
                .withRestartCount(2)
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(137)
                .withReason("OOMKilled")
                .withMessage("warming up\nout of breath\n")
                .endTerminated()
                .endLastState()
                .endContainerStatus()
                .endStatus()
                .build());
        assertEquals(PodRole.SPAWNER, facts.pod().role());
        assertTrue(facts.deleting());
        assertTrue(facts.disrupted());
        assertTrue(facts.ready());
        assertEquals("NodeLost", facts.reason());
        assertEquals("10.1.2.3", facts.address());
        assertEquals(2, facts.restarts());
        assertEquals(
                new ContainerExit(137, "OOMKilled", "out of breath"),
                facts.newestEnd().orElseThrow());
        assertEquals(NodeState.NOT_READY, facts.node());
    }

    @Test
    void theMessageOfTheSchedulerIsKept() {
        ObservedPod facts = read(named("heat-d-0")
                .withNewStatus()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/3 nodes are available")
                .endCondition()
                .endStatus()
                .build());
        assertTrue(facts.unschedulable());
        assertEquals("0/3 nodes are available", facts.message());
    }

    @Test
    void theOutputOfAFailedWorkerIsQuotedButNotThatOfAKilledOne() {
        assertEquals("exit code 1 (Error), last output \"port 7400 is taken\",", exit(1, "port 7400 is taken"));
        assertEquals("exit code 137 (Error)", exit(137, "block 3 iterates"));
        assertTrue(exit(1, "x".repeat(3000)).length() < 500);
    }

    private static String exit(int code, String lastLines) {
        return new ContainerExit(code, "Error", lastLines).toString();
    }

    @Test
    void podsOfOtherJobsAreNotRead() {
        Pod other = named("heat-2-d-0").build();
        assertTrue(PodObserver.read("heat", other, node -> ObservedNode.NONE, pod -> false)
                .isEmpty());
        assertTrue(PodObserver.read("heat-2", other, node -> ObservedNode.NONE, pod -> false)
                .isPresent());
    }

    @Test
    void theZoneIsThatOfTheLabelOfThePodWhateverTheNodeHas() {
        ObservedNode inZone = new ObservedNode(NodeState.HEALTHY, Optional.of("z1"), true);
        Pod onNode =
                named("heat-d-0").withNewSpec().withNodeName("n1").endSpec().build();
        assertEquals(PodZone.HIDDEN, zone(onNode, inZone));
        assertEquals(PodZone.UNREADABLE, zone(onNode, ObservedNode.UNREADABLE));
        assertEquals(PodZone.NONE, zone(onNode, ObservedNode.NONE));
        assertEquals(PodZone.NONE, zone(named("heat-d-0").build(), inZone), "it has no node yet");
        onNode.getMetadata().setLabels(Map.of(ObservedNode.ZONE, "z1"));
        assertEquals(PodZone.LABELED, zone(onNode, inZone));
        assertEquals(PodZone.LABELED, zone(onNode, ObservedNode.UNREADABLE));
    }

    private static PodZone zone(Pod pod, ObservedNode node) {
        return PodObserver.read("heat", pod, name -> node, name -> false)
                .orElseThrow()
                .zone();
    }

    private static ObservedPod read(Pod pod) {
        return PodObserver.read("heat", pod, node -> NOT_READY, name -> name.equals("heat-s-0"))
                .orElseThrow();
    }

    private static PodBuilder named(String name) {
        return new PodBuilder().withNewMetadata().withName(name).withUid("u").endMetadata();
    }
}
