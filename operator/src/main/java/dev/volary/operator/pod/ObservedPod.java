// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.time.Instant;
import java.util.Optional;

/**
 * The observed state of one worker pod.
 *
 * @param pod role and serial number
 * @param name name of the pod
 * @param uid UID of the object
 * @param group worker group; empty for none
 * @param created creation time
 * @param lifecycle {@code status.phase}
 * @param reason {@code status.reason}, for example {@code Evicted}; may be empty
 * @param deleting whether it has a deletion timestamp
 * @param disrupted whether its condition {@code DisruptionTarget} is true
 * @param unschedulable whether the scheduler found no node for it
 * @param ready whether its readiness probe succeeds
 * @param waiting why its container waits, for example {@code ImagePullBackOff}; empty if it does not wait
 * @param message error message of scheduler or kubelet; may be empty
 * @param restarts number of restarts of its container
 * @param ended exit of its container; empty if it runs or has not started
 * @param lastEnd previous exit of its container; empty if it was not restarted
 * @param node state of its node
 * @param zone whether its worker can know its zone
 * @param alive whether the spawners of the job report it as alive, or were not asked yet
 * @param address IP address; empty if it has none
 */
public record ObservedPod(
        PodName pod,
        String name,
        String uid,
        String group,
        Instant created,
        Lifecycle lifecycle,
        String reason,
        boolean deleting,
        boolean disrupted,
        boolean unschedulable,
        boolean ready,
        String waiting,
        String message,
        int restarts,
        Optional<ContainerExit> ended,
        Optional<ContainerExit> lastEnd,
        NodeState node,
        PodZone zone,
        boolean alive,
        String address) {

    /** {@code status.phase} of a pod. */
    public enum Lifecycle {
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED,
        UNKNOWN
    }

    /** Whether all its containers have ended for good. */
    public boolean hasEnded() {
        return lifecycle == Lifecycle.SUCCEEDED || lifecycle == Lifecycle.FAILED;
    }

    /** Whether it may hold a result of the job: its worker has started, and has not ended for good. */
    public boolean mayHoldResult() {
        return lifecycle != Lifecycle.PENDING && !hasEnded();
    }

    /** The latest exit of its container. */
    public Optional<ContainerExit> newestEnd() {
        return ended.isPresent() ? ended : lastEnd;
    }
}
