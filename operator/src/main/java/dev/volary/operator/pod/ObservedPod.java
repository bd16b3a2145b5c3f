// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.time.Instant;
import java.util.Optional;

/**
 * What the API says of one worker pod.
 *
 * @param pod its place in the crew
 * @param name its name
 * @param uid of the object
 * @param group worker group; empty for none
 * @param created when
 * @param lifecycle {@code status.phase}
 * @param reason {@code status.reason}, as {@code Evicted}; may be empty
 * @param deleting whether it has a deletion timestamp
 * @param disrupted whether its condition {@code DisruptionTarget} is true
 * @param unschedulable whether the scheduler has found no node for it
 * @param ready whether it answers its readiness probe
 * @param waiting why its container waits, as {@code ImagePullBackOff}; empty if it does not
 * @param message the API's own words on what is wrong; may be empty
 * @param restarts of its container so far
 * @param ended how its container ended, if it has and was not started again
 * @param lastEnd how its container ended the last time, if it was started again
 * @param node of the pod
 * @param heard whether the job's spawners know it to be alive, or have not been asked yet
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
        boolean heard,
        String address) {

    /** {@code status.phase} of a pod. */
    public enum Lifecycle {
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED,
        UNKNOWN
    }

    /** The newest end of its container. */
    public Optional<ContainerExit> newestEnd() {
        return ended.isPresent() ? ended : lastEnd;
    }
}
