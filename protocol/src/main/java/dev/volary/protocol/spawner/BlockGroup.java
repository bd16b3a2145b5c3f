// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The blocks of one group: which blocks it owns, which daemons compute them, and what becomes of them when daemons are lost,
 * join or report. Callers pass the group's daemons and the leader, if it is reachable.
 */
final class BlockGroup {
    private final BlockDirectory directory;
    private final SpawnerConfig config;
    private final BlockAssignments assignments;
    private final GroupCoordination coordination;
    private final UnlocatedBlocks unlocated;
    private final FailureReporter failure;
    private final LoadBalancer balancer;
    private final BlockReassigner reassigner;
    private final BlockMover mover;

    /**
     * A group without blocks.
     *
     * @param holders of its copies
     * @param wanted daemons that are to compute all blocks of the job
     */
    BlockGroup(
            JobGraph graph,
            SpawnerConfig config,
            BlockDirectory directory,
            HolderDirectory holders,
            GroupTerm term,
            int wanted) {
        this.directory = directory;
        this.config = config;
        this.assignments = new BlockAssignments(graph, config.retry(), directory, term);
        this.coordination = new GroupCoordination(graph, config, directory, assignments);
        this.unlocated = new UnlocatedBlocks(config.gathering());
        this.failure = new FailureReporter(directory, config.retry());
        this.balancer = new LoadBalancer(graph.blocks().size(), wanted);
        this.reassigner = new BlockReassigner(graph, config, assignments, coordination, holders, balancer, failure);
        this.mover = new BlockMover(assignments, coordination, holders, balancer, reassigner);
    }

    BlockAssignments assignments() {
        return assignments;
    }

    GroupCoordination coordination() {
        return coordination;
    }

    /** The job is scaled. */
    void wanted(int daemons) {
        balancer.wanted(daemons);
    }

    // ---- which blocks the group has --------------------------------------------------------------------------------

    /** The first plan assigns blocks to the group. */
    void assignFirst(TakeoverMessage.GroupPlan own, List<Member> members, SpawnerTurn turn) {
        assignments.assignFirst(own, members, turn);
        coordination.planned();
    }

    /**
     * The group gets more blocks, of an owner that is dead or has no daemon for them. Those that are computed go on; a daemon
     * that computes one of the others may still register before the block is assigned to another one.
     *
     * @param entries the newest known of the blocks
     * @param certain whether no daemon computes a block unless an entry names a daemon of the group for it
     */
    void take(
            GroupTerm term,
            Collection<Integer> blocks,
            List<BlockAssignment> entries,
            List<Member> members,
            boolean certain,
            SpawnerTurn turn) {
        Set<WorkerId> ours = members.stream().map(Member::id).collect(Collectors.toSet());
        taken(assignments.take(term, blocks, entries, ours::contains, turn), certain, turn.now());
    }

    /** A block of this group must have another incarnation, because no daemon computes the newest one that others know. */
    void renew(GroupTerm term, int block, SpawnerTurn turn) {
        taken(assignments.take(term, List.of(block), List.of(), id -> false, turn), true, turn.now());
    }

    private void taken(List<Integer> missing, boolean certain, long now) {
        coordination.regrouped(now);
        unlocated.add(missing, certain, now);
    }

    /** Other spawners own these blocks now. */
    void cede(Collection<Integer> lost, SpawnerTurn turn) {
        if (assignments.blocks().stream().noneMatch(lost::contains)) {
            return;
        }
        assignments.cede(lost, turn);
        balancer.moved(lost);
        unlocated.remove(lost);
        coordination.regrouped(turn.now());
        reassigner.ceded();
    }

    // ---- what the group has room for -------------------------------------------------------------------------------

    /** Blocks that no daemon of this group has room for, as far as that was tried. */
    List<Integer> parked() {
        return coordination.isRollbackDue() ? List.of() : assignments.parked();
    }

    /** Blocks that this group could serve as well, by the memory its daemons have left. */
    List<Integer> roomFor(List<Integer> blocks, List<Member> members) {
        return hasDaemonsForAll() ? assignments.roomFor(blocks, reassigner.staying(members)) : List.of();
    }

    /**
     * A daemon without blocks that this group does not need, if there is one.
     *
     * @param urgent whether it is for blocks that have no daemon
     */
    Optional<Member> findIdleDaemon(List<Member> members, boolean urgent) {
        if (!hasDaemonsForAll() || (!urgent && balancer.hasOverloaded(members, assignments))) {
            return Optional.empty();
        }
        return reassigner.staying(members).stream()
                .filter(member -> assignments.blocksOf(member.id()).isEmpty())
                .findFirst();
    }

    /** Whether a daemon here has too many blocks, and no daemon has time for them. */
    boolean isCrowded(List<Member> members) {
        return canMove() && mover.isCrowded(members);
    }

    private boolean hasDaemonsForAll() {
        return assignments.parked().isEmpty() && unlocated.isEmpty();
    }

    /** Whether blocks may move though no daemon is lost. */
    private boolean canMove() {
        boolean allowed = coordination
                .rollback()
                .map(r -> !r.isDue())
                .orElse(config.recovery().restartable());
        return allowed && !failure.hasFailed() && hasDaemonsForAll();
    }

    // ---- what becomes of daemons -----------------------------------------------------------------------------------

    /** A daemon reports. Returns whether the leader should get a report at once. */
    boolean progress(Member daemon, ProgressMessage.DaemonReport report, SpawnerTurn turn) {
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            if (assignments.blocks().contains(block.block())) {
                assignments.acceptComputed(daemon, block, turn);
            }
        }
        unlocated.remove(assignments.blocksOf(daemon.id()));
        assignments.progress(report);
        long base = coordination.base();
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            boolean iterates = block.iterates() && block.iteration() > base;
            if (iterates && isNewest(block.block(), block.incarnation())) {
                reassigner.failures().progressed(block.block(), daemon.id());
                balancer.progress(block);
            }
        }
        return coordination.steps().progress(report);
    }

    /** Some daemons are dead or leave: their blocks are reassigned at once. */
    void lost(List<FailureVerdict> verdicts, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        verdicts.forEach(lost -> mover.lost(lost.member()));
        reassigner.lost(verdicts, members, leader, turn);
    }

    /** A daemon leaves: what rests there goes elsewhere. Returns whether nothing is left there. */
    boolean leaves(
            RegistrationMessage.Leaving message, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        return reassigner.leaves(message, members, leader, turn);
    }

    /** A block cannot be opened where it is: another daemon tries. */
    void failed(
            WorkerId daemon,
            BlockMessage.BlockFailed failed,
            List<Member> members,
            Optional<WorkerId> leader,
            SpawnerTurn turn) {
        if (isNewest(failed.block(), failed.incarnation())
                && assignments.blocksOf(daemon).contains(failed.block())) {
            reassigner.failed(daemon, failed, members, leader, turn);
        }
    }

    /** A daemon has joined: it may take what waits. */
    void joined(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        reassigner.joined(members, leader, turn);
    }

    private boolean isNewest(int block, Incarnation incarnation) {
        return directory
                .find(block)
                .map(BlockAssignment::incarnation)
                .filter(incarnation::equals)
                .isPresent();
    }

    // ---- what the leader decides -----------------------------------------------------------------------------------

    /** A time step is committed. */
    void commit(CommittedStep record, SpawnerTurn turn) {
        // If the job ends, blocks may have no daemon.
        if (!failure.hasFailed()) {
            coordination.commit(record, turn);
        }
    }

    /** The leader begins a new epoch: all blocks roll back. */
    void rollback(
            WorkerId from,
            RollbackMessage.BeginEpoch message,
            List<Member> members,
            Optional<WorkerId> leader,
            SpawnerTurn turn) {
        if (leader.isPresent() && coordination.beginEpoch(from, message, turn)) {
            // A daemon that still computes a block of unknown place would have to roll back as well.
            parkUnlocated();
            reassigner.restart(message.epoch(), members, leader, turn);
        }
    }

    private Set<Integer> parkUnlocated() {
        Set<Integer> blocks = unlocated.removeAll();
        blocks.forEach(block -> assignments.park(block, assignments.term().owner()));
        return blocks;
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    void tick(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (canMove()) {
            mover.tick(members, leader, turn);
        }
        if (unlocated.isDue(turn)) {
            reassigner.reassign(parkUnlocated(), members, leader, turn);
        }
        unlocated.tick(turn);
        assignments.tick(turn);
        coordination.tick(failure.hasFailed(), leader, turn);
        reassigner.tick(turn);
        failure.tick(leader, turn);
    }

    int entries() {
        return assignments.entries()
                + coordination.entries()
                + unlocated.entries()
                + balancer.entries()
                + reassigner.entries()
                + mover.entries();
    }
}
