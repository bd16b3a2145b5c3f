// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import dev.volary.operator.pod.ObservedPod.Lifecycle;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Determines the state of a pod: the first row whose condition holds. */
public enum PodClassifier {
    /** A disruption takes precedence over the exit code, since a pod may fail while it is being deleted. */
    ENDED_BY_DISRUPTION(p -> p.hasEnded() && (p.disrupted() || Reasons.EVICTIONS.contains(p.reason())), PodState.TAKEN),
    /** The kubelet reports node shutdowns and rejected admissions without a container status. */
    FAILED_WITHOUT_A_CONTAINER(
            p -> p.lifecycle() == Lifecycle.FAILED && p.ended().isEmpty(), PodState.TAKEN),
    FAILED_BY_ITSELF(
            p -> p.lifecycle() == Lifecycle.FAILED
                    && p.ended().filter(ContainerExit::isFailure).isPresent(),
            PodState.FAILED),
    KILLED_FROM_OUTSIDE(p -> p.lifecycle() == Lifecycle.FAILED, PodState.TAKEN),
    SUCCEEDED(p -> p.lifecycle() == Lifecycle.SUCCEEDED, PodState.ENDED),
    DELETED_BY_THE_PLATFORM(p -> p.deleting() && (p.disrupted() || p.node() != NodeState.HEALTHY), PodState.RECLAIMED),
    DELETED(ObservedPod::deleting, PodState.LEAVING),
    DISRUPTION_ANNOUNCED(ObservedPod::disrupted, PodState.RECLAIMED),
    NODE_RECLAIMED(p -> p.node() == NodeState.RECLAIMED, PodState.RECLAIMED),
    /**
     * If the spawners report the worker as alive, a silent kubelet does not matter: the API server may have been unavailable.
     */
    NODE_SILENT(p -> p.node() == NodeState.NOT_READY && !p.alive(), PodState.UNREACHABLE),
    PHASE_UNKNOWN(p -> p.lifecycle() == Lifecycle.UNKNOWN && !p.alive(), PodState.UNREACHABLE),
    NO_NODE(ObservedPod::unschedulable, PodState.UNSCHEDULABLE),
    CANNOT_START(p -> Reasons.BLOCKERS.contains(p.waiting()), PodState.BLOCKED),
    ENDED_AND_RESTARTING(p -> p.ended().isPresent() || p.waiting().equals("CrashLoopBackOff"), PodState.RESTARTING),
    READY(p -> p.lifecycle() == Lifecycle.RUNNING && p.ready(), PodState.RUNNING),
    NOT_READY_YET(p -> p.lifecycle() == Lifecycle.RUNNING, PodState.STARTING),
    NOT_STARTED_YET(p -> true, PodState.PENDING);

    @SuppressWarnings("ImmutableEnumChecker") // the predicates capture no state
    private final Predicate<ObservedPod> when;

    private final PodState then;

    PodClassifier(Predicate<ObservedPod> when, PodState then) {
        this.when = when;
        this.then = then;
    }

    /** The state that this row assigns. */
    public PodState state() {
        return then;
    }

    /** The first row whose condition holds. */
    public static PodClassifier row(ObservedPod pod) {
        return List.of(values()).stream()
                .filter(row -> row.when.test(pod))
                .findFirst()
                .orElseThrow();
    }

    /** The state of a pod. */
    public static PodState state(ObservedPod pod) {
        return row(pod).then;
    }

    /** Reasons that kubelet and scheduler use. */
    private static final class Reasons {
        static final Set<String> EVICTIONS =
                Set.of("Evicted", "Preempting", "NodeLost", "NodeShutdown", "Terminated", "Shutdown", "NodeAffinity");
        static final Set<String> BLOCKERS = Set.of(
                "ErrImagePull",
                "ImagePullBackOff",
                "ErrImageNeverPull",
                "InvalidImageName",
                "CreateContainerConfigError",
                "CreateContainerError",
                "RunContainerError");
    }
}
