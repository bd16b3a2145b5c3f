// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which daemons a block has failed on, or died with, since it last made progress. A block that does so on too many different
 * ones is to blame itself (docs/explanation/replacement-and-fencing.md, "blocks that take daemons down").
 */
public final class BlockFailures {
    private final int most;
    private final Map<Integer, Set<WorkerId>> failed = new HashMap<>();

    /**
     * @param most daemons a block may fail on
     */
    public BlockFailures(int most) {
        this.most = most;
    }

    /** The block failed on this daemon; returns whether that was once too often. */
    public boolean failed(int block, WorkerId daemon) {
        Set<WorkerId> daemons = failed.computeIfAbsent(block, b -> new TreeSet<>());
        daemons.add(daemon);
        return daemons.size() >= most;
    }

    /** The block has iterated. */
    public void progressed(int block) {
        failed.remove(block);
    }

    /** Daemons that shall not get this block again. */
    public Set<WorkerId> failedDaemons(int block) {
        return failed.getOrDefault(block, Set.of());
    }

    /** Entries held. */
    public int entries() {
        return failed.values().stream().mapToInt(Set::size).sum();
    }
}
