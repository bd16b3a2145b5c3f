// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.pod.PodName;
import java.util.Set;

/**
 * What this operator process has seen of a job's pods before. While another operator still works, after a change of the leader, the
 * status may name pods that the cache of this one does not show yet, and lack pods that it still shows.
 *
 * @param seen pods that it has observed, or that the status tracked when it first looked: if one is absent now, it was lost
 * @param followed pods that the status tracked in an earlier reconciliation and that this process has not counted: if one is
 *     not tracked now, another operator has counted it
 */
public record PodHistory(Set<PodName> seen, Set<PodName> followed) {
    /** Of a process that has seen nothing. */
    public static final PodHistory NONE = new PodHistory(Set.of(), Set.of());

    public PodHistory {
        seen = Set.copyOf(seen);
        followed = Set.copyOf(followed);
    }
}
