// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import dev.volary.operator.pod.ObservedPod.Lifecycle;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What state the facts of a pod make: the first row that fits. The whole judgement is this table. */
public enum PodClassifier {
    /** A pod can fail while it is being deleted; that it was disrupted says more than how it ended. */
    TERMINAL_AND_DISRUPTED(
            p -> isTerminal(p) && (p.disrupted() || Words.EVICTIONS.contains(p.reason())), PodState.TAKEN),
    /** The kubelet reports a node's shutdown and admission refusals without any container status. */
    FAILED_WITHOUT_A_CONTAINER(
            p -> p.lifecycle() == Lifecycle.FAILED && p.ended().isEmpty(), PodState.TAKEN),
    FAILED_BY_ITSELF(
            p -> p.lifecycle() == Lifecycle.FAILED
                    && p.ended().filter(ContainerExit::isFailure).isPresent(),
            PodState.FAILED),
    FAILED_BY_A_KILL(p -> p.lifecycle() == Lifecycle.FAILED, PodState.TAKEN),
    SUCCEEDED(p -> p.lifecycle() == Lifecycle.SUCCEEDED, PodState.ENDED),
    DELETED_BY_THE_PLATFORM(p -> p.deleting() && (p.disrupted() || p.node() != NodeState.WELL), PodState.RECLAIMED),
    DELETED(ObservedPod::deleting, PodState.LEAVING),
    DISRUPTION_ANNOUNCED(ObservedPod::disrupted, PodState.RECLAIMED),
    NODE_RECLAIMED(p -> p.node() == NodeState.RECLAIMED, PodState.RECLAIMED),
    /** A silent kubelet says nothing of workers that others hear: it may be the API server that was away. */
    NODE_SILENT(p -> p.node() == NodeState.NOT_READY && !p.heard(), PodState.UNREACHABLE),
    PHASE_UNKNOWN(p -> p.lifecycle() == Lifecycle.UNKNOWN && !p.heard(), PodState.UNREACHABLE),
    NO_NODE(ObservedPod::unschedulable, PodState.UNSCHEDULABLE),
    CANNOT_START(p -> Words.BLOCKERS.contains(p.waiting()), PodState.BLOCKED),
    ENDED_AND_TO_BE_STARTED_AGAIN(
            p -> p.ended().isPresent() || p.waiting().equals("CrashLoopBackOff"), PodState.RESTARTING),
    READY(p -> p.lifecycle() == Lifecycle.RUNNING && p.ready(), PodState.RUNNING),
    NOT_READY_YET(p -> p.lifecycle() == Lifecycle.RUNNING, PodState.STARTING),
    NOT_STARTED_YET(p -> true, PodState.PENDING);

    @SuppressWarnings("ImmutableEnumChecker") // the predicates capture nothing
    private final Predicate<ObservedPod> when;

    private final PodState then;

    PodClassifier(Predicate<ObservedPod> when, PodState then) {
        this.when = when;
        this.then = then;
    }

    /** The state that this row stands for. */
    public PodState state() {
        return then;
    }

    /** The row that fits. */
    public static PodClassifier row(ObservedPod facts) {
        return List.of(values()).stream()
                .filter(row -> row.when.test(facts))
                .findFirst()
                .orElseThrow();
    }

    /** The state of a pod. */
    public static PodState judge(ObservedPod facts) {
        return row(facts).then;
    }

    private static boolean isTerminal(ObservedPod facts) {
        return facts.lifecycle() == Lifecycle.FAILED || facts.lifecycle() == Lifecycle.SUCCEEDED;
    }

    /** The kubelet's and the scheduler's words. */
    private static final class Words {
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
