// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.model.RecordedBlock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what parts used of their neighbors with what those recorded. The residuals of all parts are those of one vector only
 * if both agree at each edge (docs/explanation/certification.md, "the protocol"). A group checks the edges between its blocks,
 * the leader those between groups.
 */
final class EdgeCheck {
    private final Map<Integer, RecordedBlock> recorded = new HashMap<>();

    /** @param truth what blocks recorded */
    EdgeCheck(Collection<RecordedBlock> truth) {
        truth.forEach(own -> recorded.put(own.block(), own));
    }

    /** Whether it is known what each of these blocks recorded. */
    boolean covers(List<RecordedBlock> used) {
        return used.stream().allMatch(halo -> recorded.containsKey(halo.block()));
    }

    /** What was recorded, for each of these blocks that recorded something else; those that are not covered are left out. */
    List<RecordedBlock> corrections(List<RecordedBlock> used) {
        List<RecordedBlock> corrections = new ArrayList<>();
        for (RecordedBlock halo : used) {
            RecordedBlock own = recorded.get(halo.block());
            if (own != null && !halo.equals(own)) {
                corrections.add(own);
            }
        }
        return corrections;
    }
}
