// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A checkpoint that all blocks take after the same iteration, in the synchronous scheme. Two of them are kept at a time.
 *
 * @param slot where its copies lie: 0 or 1
 * @param epoch in which it was taken
 * @param iteration after which it was taken
 */
public record CheckpointGeneration(int slot, int epoch, long iteration) {

    /** The generations that are in every list, in the order of the first one. */
    public static List<CheckpointGeneration> commonTo(Collection<List<CheckpointGeneration>> lists) {
        Set<CheckpointGeneration> common = new LinkedHashSet<>();
        boolean first = true;
        for (List<CheckpointGeneration> list : lists) {
            if (first) {
                common.addAll(list);
            } else {
                common.retainAll(list);
            }
            first = false;
        }
        return List.copyOf(common);
    }
}
