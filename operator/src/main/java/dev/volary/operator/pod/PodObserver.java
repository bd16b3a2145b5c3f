// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads an {@link ObservedPod} from a pod object, of which every field may be absent. */
public final class PodObserver {
    private PodObserver() {}

    /**
     * Reads a pod of a job.
     *
     * @param nodes what is known of a node by its name
     * @param alive whether the worker in the pod of this name may be alive, according to the spawners
     * @return empty if the name does not belong to the job
     */
    public static Optional<ObservedPod> read(
            String job, Pod pod, Function<String, ObservedNode> nodes, Predicate<String> alive) {
        String name = pod.getMetadata().getName();
        return PodName.parse(job, name).map(podName -> read(podName, pod, nodes, alive));
    }

    private static ObservedPod read(
            PodName podName, Pod pod, Function<String, ObservedNode> nodes, Predicate<String> alive) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        Optional<ContainerStatus> container = container(status);
        Optional<PodCondition> scheduled = condition(status, "PodScheduled")
                .filter(c -> c.getStatus().equals("False") && Objects.equals(c.getReason(), "Unschedulable"));
        Map<String, String> labels = pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
        Optional<ContainerState> state = container.map(ContainerStatus::getState);
        String nodeName = pod.getSpec() == null ? "" : text(pod.getSpec().getNodeName());
        ObservedNode node = nodeName.isEmpty() ? ObservedNode.NONE : nodes.apply(nodeName);
        return new ObservedPod(
                podName,
                pod.getMetadata().getName(),
                text(pod.getMetadata().getUid()),
                labels.getOrDefault(Labels.WORKER_GROUP, ""),
                time(pod.getMetadata().getCreationTimestamp()),
                lifecycle(text(status.getPhase())),
                text(status.getReason()),
                pod.getMetadata().getDeletionTimestamp() != null,
                isTrue(status, "DisruptionTarget"),
                scheduled.isPresent(),
                isTrue(status, "Ready"),
                state.map(ContainerState::getWaiting)
                        .map(w -> text(w.getReason()))
                        .orElse(""),
                message(status, scheduled, state),
                container.map(ContainerStatus::getRestartCount).orElse(0),
                state.map(ContainerState::getTerminated).map(PodObserver::exit),
                container
                        .map(ContainerStatus::getLastState)
                        .map(ContainerState::getTerminated)
                        .map(PodObserver::exit),
                node.state(),
                zone(labels, node),
                alive.test(pod.getMetadata().getName()),
                text(status.getPodIP()));
    }

    private static PodZone zone(Map<String, String> labels, ObservedNode node) {
        if (!labels.getOrDefault(ObservedNode.ZONE, "").isEmpty()) {
            return PodZone.LABELED;
        }
        if (!node.isReadable()) {
            return PodZone.UNREADABLE;
        }
        return node.zone().isPresent() ? PodZone.HIDDEN : PodZone.NONE;
    }

    private static String message(PodStatus status, Optional<PodCondition> scheduled, Optional<ContainerState> state) {
        return scheduled
                .map(c -> text(c.getMessage()))
                .or(() -> state.map(ContainerState::getWaiting).map(w -> text(w.getMessage())))
                .filter(text -> !text.isEmpty())
                .orElse(text(status.getMessage()));
    }

    private static Optional<ContainerStatus> container(PodStatus status) {
        List<ContainerStatus> all = status.getContainerStatuses() == null ? List.of() : status.getContainerStatuses();
        return all.stream().filter(c -> c.getName().equals(Names.CONTAINER)).findFirst();
    }

    private static ContainerExit exit(ContainerStateTerminated end) {
        return new ContainerExit(
                end.getExitCode() == null ? 0 : end.getExitCode(), text(end.getReason()), text(end.getMessage()));
    }

    private static Optional<PodCondition> condition(PodStatus status, String type) {
        List<PodCondition> all = status.getConditions() == null ? List.of() : status.getConditions();
        return all.stream().filter(c -> c.getType().equals(type)).findFirst();
    }

    private static boolean isTrue(PodStatus status, String type) {
        return condition(status, type).filter(c -> c.getStatus().equals("True")).isPresent();
    }

    private static ObservedPod.Lifecycle lifecycle(String phase) {
        return phase.isEmpty()
                ? ObservedPod.Lifecycle.PENDING
                : ObservedPod.Lifecycle.valueOf(phase.toUpperCase(Locale.ROOT));
    }

    private static Instant time(@Nullable String timestamp) {
        return timestamp == null ? Instant.EPOCH : Instant.parse(timestamp);
    }

    private static String text(@Nullable String maybe) {
        return maybe == null ? "" : maybe;
    }
}
