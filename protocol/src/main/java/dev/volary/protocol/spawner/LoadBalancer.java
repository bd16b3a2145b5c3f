// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockFailures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Moves blocks away from daemons with more than their share: other daemons were lost when there was no standby, or joined
 * later. All their blocks iterate more slowly. A daemon that has less than its share relieves them, once it is warmed up. Only
 * blocks that have been backed up where they are move. What is known comes from reports, so that it does not die with a group's
 * owner.
 */
final class LoadBalancer {
    private final Set<Integer> backedUp = new TreeSet<>();
    private final int blocks;
    private int daemons;

    /**
     * @param blocks of the job
     * @param daemons that are to compute them
     */
    LoadBalancer(int blocks, int daemons) {
        this.blocks = blocks;
        this.daemons = daemons;
    }

    /** This many daemons are to compute from now on. */
    void wanted(int number) {
        daemons = number;
    }

    /** Blocks of a daemon if all are there. */
    private int share() {
        return Math.ceilDiv(blocks, daemons);
    }

    /** How a block does under its newest incarnation. */
    void progress(ProgressMessage.BlockProgress block) {
        if (block.backup().isPresent()) {
            backedUp.add(block.block());
        }
    }

    /** Each of these blocks is part of a complete checkpoint. */
    void checkpointed(Collection<Integer> blocks) {
        backedUp.addAll(blocks);
    }

    /** They have been assigned to another daemon, or have another owner. */
    void moved(Collection<Integer> blocks) {
        backedUp.removeAll(blocks);
    }

    /** Whether one of these daemons has more blocks than its share. */
    boolean hasOverloaded(Collection<Member> daemons, BlockAssignments assignments) {
        return daemons.stream()
                .anyMatch(daemon -> assignments.blocksOf(daemon.id()).size() > share());
    }

    /** Whether this daemon could take more. */
    boolean hasTime(Member daemon, BlockAssignments assignments) {
        return assignments.blocksOf(daemon.id()).size() < share();
    }

    /**
     * What a daemon that has time should take over from one of the others.
     *
     * @return blocks by the daemon that has them; empty if there is nothing to relieve, or no room for it
     */
    Map<WorkerId, Set<Integer>> relief(
            Member helper, Collection<Member> others, BlockAssignments assignments, BlockFailures attempts) {
        int wanted = share() - assignments.blocksOf(helper.id()).size();
        for (Member daemon : others) {
            List<Integer> all = assignments.blocksOf(daemon.id());
            List<Integer> theirs = all.stream()
                    .filter(block -> backedUp.contains(block)
                            && !attempts.failedDaemons(block).contains(helper.id()))
                    .limit(Math.clamp(all.size() - share(), 0, wanted))
                    .toList();
            boolean fits = assignments.roomFor(theirs, List.of(helper)).size() == theirs.size();
            if (!theirs.isEmpty() && fits) {
                return Map.of(daemon.id(), Set.copyOf(theirs));
            }
        }
        return Map.of();
    }

    int entries() {
        return backedUp.size();
    }
}
