// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
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
    /** Daemons that died without the block, since it failed first. */
    private final Map<Integer, Integer> diedWithout = new HashMap<>();
    /** The daemon that each block has iterated on last. */
    private final Map<Integer, WorkerId> iterated = new HashMap<>();

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

    /**
     * A daemon died that had accepted these blocks. Only those count that had not iterated there: another block of the daemon, or
     * its machine, ended it.
     *
     * @return the blocks to blame: of those that died with too many daemons the ones with most. None is to blame while daemons
     *     die without it as well, as when machines are taken away: each of those excuses one that died with it.
     */
    public List<Integer> diedWith(Collection<Integer> blocks, WorkerId daemon) {
        blocks.stream().filter(block -> !iterated.remove(block, daemon)).forEach(block -> failed(block, daemon));
        List<Integer> suspects = blocks.stream()
                .filter(block -> failedDaemons(block).size() - diedWithout.getOrDefault(block, 0) >= most)
                .toList();
        int highest = suspects.stream()
                .mapToInt(block -> failedDaemons(block).size())
                .max()
                .orElse(0);
        return suspects.stream()
                .filter(block -> failedDaemons(block).size() == highest)
                .toList();
    }

    /** A daemon died that served these blocks and no others. */
    public void died(Collection<Integer> served) {
        failed.keySet().stream()
                .filter(block -> !served.contains(block))
                .forEach(block -> diedWithout.merge(block, 1, Integer::sum));
    }

    /** The block has iterated on this daemon. */
    public void progressed(int block, WorkerId daemon) {
        iterated.put(block, daemon);
        failed.remove(block);
        diedWithout.remove(block);
    }

    /** Daemons that shall not get this block again. */
    public Set<WorkerId> failedDaemons(int block) {
        return failed.getOrDefault(block, Set.of());
    }

    /** Entries held. */
    public int entries() {
        return failed.values().stream().mapToInt(Set::size).sum() + diedWithout.size();
    }
}
