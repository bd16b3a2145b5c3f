// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.operator.pod.ObservedPod.Lifecycle;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodClassifierTest {
    private static final AnyPod POD = AnyPod.daemon(0);

    /** Observed pods, the row that classifies each, and its state. */
    record Sample(String scenario, AnyPod pod, PodClassifier row, PodState state) {
        @Override
        public String toString() {
            return scenario;
        }
    }

    static Stream<Sample> samples() {
        return Stream.of(
                new Sample("it runs and is ready", POD, PodClassifier.READY, PodState.RUNNING),
                new Sample("it runs and is not ready", POD.notReady(), PodClassifier.NOT_READY_YET, PodState.STARTING),
                new Sample(
                        "it was just created",
                        POD.lifecycle(Lifecycle.PENDING, ""),
                        PodClassifier.NOT_STARTED_YET,
                        PodState.PENDING),
                new Sample(
                        "no node takes it",
                        POD.unschedulable("0/3 nodes"),
                        PodClassifier.NO_NODE,
                        PodState.UNSCHEDULABLE),
                new Sample(
                        "its image cannot be pulled",
                        POD.waiting("ImagePullBackOff", ""),
                        PodClassifier.CANNOT_START,
                        PodState.BLOCKED),
                new Sample(
                        "its image was not pulled at the first try",
                        POD.waiting("ErrImagePull", ""),
                        PodClassifier.CANNOT_START,
                        PodState.BLOCKED),
                new Sample(
                        "its container is being made",
                        POD.waiting("ContainerCreating", ""),
                        PodClassifier.NOT_STARTED_YET,
                        PodState.PENDING),
                new Sample(
                        "kill -9 in the container",
                        POD.ended(137, "Error"),
                        PodClassifier.ENDED_AND_RESTARTING,
                        PodState.RESTARTING),
                new Sample(
                        "it crashes again and again",
                        POD.waiting("CrashLoopBackOff", ""),
                        PodClassifier.ENDED_AND_RESTARTING,
                        PodState.RESTARTING),
                new Sample("a user deletes it", POD.deleting(), PodClassifier.DELETED, PodState.LEAVING),
                new Sample(
                        "the eviction API deletes it",
                        POD.deleting().disrupted(),
                        PodClassifier.DELETED_BY_THE_PLATFORM,
                        PodState.RECLAIMED),
                new Sample(
                        "it is deleted as its node is silent",
                        POD.deleting().on(NodeState.NOT_READY),
                        PodClassifier.DELETED_BY_THE_PLATFORM,
                        PodState.RECLAIMED),
                new Sample(
                        "the scheduler is about to preempt it",
                        POD.disrupted(),
                        PodClassifier.DISRUPTION_ANNOUNCED,
                        PodState.RECLAIMED),
                new Sample(
                        "its node got a spot notice",
                        POD.on(NodeState.RECLAIMED),
                        PodClassifier.NODE_RECLAIMED,
                        PodState.RECLAIMED),
                new Sample(
                        "its node is silent",
                        POD.on(NodeState.NOT_READY),
                        PodClassifier.NODE_SILENT,
                        PodState.UNREACHABLE),
                new Sample(
                        "its node is silent, and others report it alive",
                        POD.on(NodeState.NOT_READY).alive(),
                        PodClassifier.READY,
                        PodState.RUNNING),
                new Sample(
                        "its phase is unknown",
                        POD.lifecycle(Lifecycle.UNKNOWN, ""),
                        PodClassifier.PHASE_UNKNOWN,
                        PodState.UNREACHABLE),
                new Sample(
                        "the kubelet evicted it",
                        POD.lifecycle(Lifecycle.FAILED, "Evicted"),
                        PodClassifier.ENDED_BY_DISRUPTION,
                        PodState.TAKEN),
                new Sample(
                        "preempted, it ended without an error",
                        POD.lifecycle(Lifecycle.SUCCEEDED, "").disrupted(),
                        PodClassifier.ENDED_BY_DISRUPTION,
                        PodState.TAKEN),
                new Sample(
                        "evicted after a failure",
                        POD.ended(1, "Error").lifecycle(Lifecycle.FAILED, "").disrupted(),
                        PodClassifier.ENDED_BY_DISRUPTION,
                        PodState.TAKEN),
                new Sample(
                        "terminal with no container status",
                        POD.lifecycle(Lifecycle.FAILED, ""),
                        PodClassifier.FAILED_WITHOUT_A_CONTAINER,
                        PodState.TAKEN),
                new Sample(
                        "terminal after an error of its own",
                        POD.ended(1, "Error").lifecycle(Lifecycle.FAILED, ""),
                        PodClassifier.FAILED_BY_ITSELF,
                        PodState.FAILED),
                new Sample(
                        "terminal after it outgrew its memory",
                        POD.ended(137, "OOMKilled").lifecycle(Lifecycle.FAILED, ""),
                        PodClassifier.FAILED_BY_ITSELF,
                        PodState.FAILED),
                new Sample(
                        "terminal after a kill",
                        POD.ended(137, "Error").lifecycle(Lifecycle.FAILED, ""),
                        PodClassifier.KILLED_FROM_OUTSIDE,
                        PodState.TAKEN),
                new Sample(
                        "terminal after its machine was switched off and on again",
                        POD.ended(255, "Unknown").lifecycle(Lifecycle.FAILED, ""),
                        PodClassifier.KILLED_FROM_OUTSIDE,
                        PodState.TAKEN),
                new Sample(
                        "it ended on request",
                        POD.ended(0, "Completed").lifecycle(Lifecycle.SUCCEEDED, ""),
                        PodClassifier.SUCCEEDED,
                        PodState.ENDED),
                new Sample(
                        "it failed while a user deleted it",
                        POD.ended(1, "Error").lifecycle(Lifecycle.FAILED, "").deleting(),
                        PodClassifier.FAILED_BY_ITSELF,
                        PodState.FAILED));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void eachRowJudgesWhatItIsMeantFor(Sample sample) {
        assertEquals(sample.row(), PodClassifier.row(sample.pod().facts()));
        assertEquals(sample.state(), PodClassifier.state(sample.pod().facts()));
    }

    @Test
    void everyRowHasASample() {
        Set<PodClassifier> sampled = samples().map(Sample::row).collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(PodClassifier.class), sampled);
    }

    @Test
    void aDisruptionNeverUsesTheRetryBudget() {
        for (ObservedPod.Lifecycle lifecycle : ObservedPod.Lifecycle.values()) {
            for (int code : List.of(0, 1, 3, 75, 137, 143)) {
                for (NodeState node : NodeState.values()) {
                    ObservedPod facts = POD.ended(code, code == 137 ? "OOMKilled" : "Error")
                            .lifecycle(lifecycle, "")
                            .on(node)
                            .disrupted()
                            .facts();
                    assertFalse(PodClassifier.state(facts).usesRetryBudget(), facts.toString());
                }
            }
        }
    }
}
