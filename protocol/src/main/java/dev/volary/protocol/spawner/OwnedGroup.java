// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * The group that this spawner owns: its daemons from the start, and its blocks once there is a plan. Until then the events
 * that concern blocks have no effect.
 */
final class OwnedGroup {
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final SpawnerLeadership leadership;
    private final GroupMembers members;
    private final BlockDirectory directory = new BlockDirectory();
    private Optional<BlockGroup> blocks = Optional.empty();
    /** Daemons that are to compute all blocks of the job. */
    private int wanted;

    OwnedGroup(JobGraph graph, SpawnerConfig config, SpawnerLeadership leadership, GroupMembers members) {
        this.graph = graph;
        this.config = config;
        this.leadership = leadership;
        this.members = members;
        this.wanted = config.wanted();
    }

    /** Its daemons. */
    GroupMembers members() {
        return members;
    }

    /** Its blocks, once there is a plan. */
    Optional<BlockGroup> blocks() {
        return blocks;
    }

    /** Which daemon serves which block, in this group and next to it. */
    BlockDirectory directory() {
        return directory;
    }

    /** Whether a plan has given the group its blocks, maybe none. */
    boolean isPlanned() {
        return blocks.isPresent();
    }

    /** Whether the group has this block. */
    boolean hasBlock(int block) {
        return blocks.filter(g -> g.assignments().blocks().contains(block)).isPresent();
    }

    /** Whether a daemon has blocks of this group. */
    boolean serves(WorkerId daemon) {
        return blocks.filter(g -> !g.assignments().blocksOf(daemon).isEmpty()).isPresent();
    }

    /** Blocks for this group, none yet; they are the group's after {@link #planned}. */
    BlockGroup withoutBlocks(GroupTerm term) {
        return new BlockGroup(graph, config, directory, members.holders(), term, wanted);
    }

    /** The plan has given the group its blocks. */
    void planned(BlockGroup first, SpawnerTurn turn) {
        blocks = Optional.of(first);
        members.reservations().planned(this::serves);
        joined(turn);
        members.monitor().planned(turn.now());
    }

    /** The job is scaled. */
    void wanted(int daemons) {
        wanted = daemons;
        blocks.ifPresent(g -> g.wanted(daemons));
    }

    /** Another group has sent entries of blocks next to this group's. */
    void merge(List<BlockAssignment> entries, SpawnerTurn turn) {
        if (blocks.isPresent()) {
            blocks.get().assignments().mergeEntries(entries, turn);
        } else {
            entries.forEach(directory::merge);
        }
    }

    /** A daemon has joined. */
    void joined(SpawnerTurn turn) {
        blocks.ifPresent(g -> g.joined(members.members(), leadership.reachableLeader(), turn));
    }

    /** These daemons do not compute the group's blocks any more. */
    void lost(List<FailureVerdict> verdicts, SpawnerTurn turn) {
        blocks.ifPresent(g -> g.lost(verdicts, members.candidates(), leadership.reachableLeader(), turn));
    }

    /** A daemon leaves; returns whether it has no blocks any more. */
    boolean leaves(RegistrationMessage.Leaving leaving, SpawnerTurn turn) {
        return blocks.map(g -> g.leaves(leaving, members.candidates(), leadership.reachableLeader(), turn))
                .orElse(true);
    }

    /** A block cannot be opened on a daemon. */
    void failed(WorkerId daemon, BlockMessage.BlockFailed failed, SpawnerTurn turn) {
        blocks.ifPresent(g -> g.failed(daemon, failed, members.candidates(), leadership.reachableLeader(), turn));
    }

    /** The leader begins a new epoch. */
    void rollback(WorkerId from, RollbackMessage.BeginEpoch message, SpawnerTurn turn) {
        blocks.ifPresent(g -> g.rollback(from, message, members.candidates(), leadership.reachableLeader(), turn));
    }

    int entries() {
        return members.entries()
                + directory.size()
                + blocks.map(BlockGroup::entries).orElse(0);
    }
}
