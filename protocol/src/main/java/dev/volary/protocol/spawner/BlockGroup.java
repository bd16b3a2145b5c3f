// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.convergence.GroupTokens;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.Message;
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
import dev.volary.protocol.placement.BlockFailures;
import dev.volary.protocol.rollback.GroupRollback;
import dev.volary.protocol.snapshot.GroupSnapshots;
import dev.volary.protocol.stepping.GroupSteps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The blocks of one group: assigns them to daemons, and reassigns those of daemons that are dead, that leave or that cannot
 * serve them, under new incarnations. A block that fails too often, or finds no daemon for too long, ends the job.
 */
final class BlockGroup {
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final BlockDirectory directory;
    private final BlockAssignments assignments;
    private final HolderDirectory holders;
    private GroupSnapshots snapshots;
    private final Set<Integer> unknown = new TreeSet<>();
    private long unknownUntil = Long.MAX_VALUE;
    private GroupSteps steps;
    /** Present if all blocks roll back when one has lost its daemon. */
    private Optional<GroupRollback> rollback;

    private Optional<GroupTokens> tokens;
    private final BlockFailures failures;
    private final LoadBalancer balancer;
    private final Set<WorkerId> leaving = new TreeSet<>();

    /** Daemons for which all blocks of a synchronous job rolled back once, so that they could take some over. */
    private final Set<WorkerId> helped = new TreeSet<>();

    private Optional<Message> failure = Optional.empty();
    private long failAgainAt = Long.MAX_VALUE;
    private long parkedUntil = Long.MAX_VALUE;

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
        this.graph = graph;
        this.config = config;
        this.directory = directory;
        this.holders = holders;
        this.assignments = new BlockAssignments(graph, config.retry(), directory, term);
        this.snapshots = snapshots(term);
        this.steps = steps();
        this.rollback = newRollback(0);
        this.tokens = newTokens();
        this.failures = new BlockFailures(config.recovery().blockAttempts());
        this.balancer = new LoadBalancer(graph.blocks().size(), wanted);
    }

    /** The job is scaled. */
    void wanted(int daemons) {
        balancer.wanted(daemons);
    }

    BlockAssignments assignments() {
        return assignments;
    }

    GroupSnapshots snapshots() {
        return snapshots;
    }

    /** A time step is committed. */
    void commit(CommittedStep record, SpawnerTurn turn) {
        if (failure.isPresent()) {
            return; // the job ends, and blocks may have no daemon
        }
        snapshots.stepOver(record.step());
        steps.commit(record.of(graph.withSources(assignments.blocks())), turn);
    }

    private GroupSteps steps() {
        SnapshotConfig certificate = config.snapshots();
        return new GroupSteps(
                graph, directory, config.retry(), certificate.kappa() * certificate.tolerance(), assignments.blocks());
    }

    private GroupSnapshots snapshots(GroupTerm term) {
        return new GroupSnapshots(graph, directory, config.retry(), term, assignments.blocks());
    }

    private Optional<GroupRollback> newRollback(int epoch) {
        return config.rollsBack(graph)
                ? Optional.of(
                        new GroupRollback(config.retry(), directory, assignments.term(), assignments.blocks(), epoch))
                : Optional.empty();
    }

    private Optional<GroupTokens> newTokens() {
        return config.rollsBack(graph)
                ? Optional.of(new GroupTokens(config.retry(), directory, assignments.term(), assignments.blocks()))
                : Optional.empty();
    }

    /** The first plan assigns blocks to the group. */
    void assignFirst(TakeoverMessage.GroupPlan own, List<Member> members, SpawnerTurn turn) {
        assignments.assignFirst(own, members, turn);
        snapshots = snapshots(own.term());
        steps = steps();
        rollback = newRollback(Epochs.first(own.term().n()));
        tokens = newTokens();
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
        taken(term, assignments.take(term, blocks, entries, ours::contains, turn), certain, turn.now());
    }

    /** A block of this group must have another incarnation, because no daemon computes the newest one that others know. */
    void renew(GroupTerm term, int block, SpawnerTurn turn) {
        taken(term, assignments.take(term, List.of(block), List.of(), id -> false, turn), true, turn.now());
    }

    private void taken(GroupTerm term, List<Integer> missing, boolean certain, long now) {
        snapshots = snapshots(term);
        steps = steps();
        rollBack(now);
        unknown.addAll(missing);
        long wait = certain ? 0 : config.gathering().toNanos();
        unknownUntil = missing.isEmpty() ? unknownUntil : now + wait;
    }

    /** Blocks came or went: in lock-step all roll back, so that no owner must know what another one was asked for. */
    private void rollBack(long now) {
        if (rollback.isPresent()) {
            rollback = newRollback(rollback.get().epoch());
            tokens = newTokens();
            if (!assignments.blocks().isEmpty()) {
                rollback.get().lost(now);
            }
        }
    }

    /** Other spawners own these blocks now. */
    void cede(Collection<Integer> lost, SpawnerTurn turn) {
        if (assignments.blocks().stream().noneMatch(lost::contains)) {
            return;
        }
        assignments.cede(lost, turn);
        balancer.moved(lost);
        unknown.removeAll(lost);
        snapshots = snapshots(assignments.term());
        steps = steps();
        rollBack(turn.now());
        if (assignments.parked().isEmpty()) {
            parkedUntil = Long.MAX_VALUE;
        }
    }

    /** Blocks that no daemon of this group has room for, as far as that was tried. */
    List<Integer> parked() {
        return rollback.filter(GroupRollback::isDue).isPresent() ? List.of() : assignments.parked();
    }

    /** Blocks that this group could serve as well, by the memory its daemons have left. */
    List<Integer> roomFor(List<Integer> blocks, List<Member> members) {
        return assignments.parked().isEmpty() && unknown.isEmpty()
                ? assignments.roomFor(blocks, staying(members))
                : List.of();
    }

    /**
     * A daemon without blocks that this group does not need, if there is one.
     *
     * @param urgent whether it is for blocks that have no daemon
     */
    Optional<Member> findIdleDaemon(List<Member> members, boolean urgent) {
        boolean needed = !assignments.parked().isEmpty() || !unknown.isEmpty();
        return needed || (!urgent && balancer.hasOverloaded(members, assignments))
                ? Optional.empty()
                : staying(members).stream()
                        .filter(member -> assignments.blocksOf(member.id()).isEmpty())
                        .findFirst();
    }

    private List<Member> staying(List<Member> members) {
        return members.stream().filter(member -> !leaving.contains(member.id())).toList();
    }

    /** A daemon reports. Returns whether the leader should get a report at once. */
    boolean progress(Member daemon, ProgressMessage.DaemonReport report, SpawnerTurn turn) {
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            if (assignments.blocks().contains(block.block())) {
                assignments.acceptComputed(daemon, block, turn);
            }
        }
        unknown.removeAll(assignments.blocksOf(daemon.id()));
        assignments.progress(report);
        long base = rollback.map(GroupRollback::base).orElse(0L);
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            boolean iterates = block.iterates() && block.iteration() > base;
            if (iterates && serves(block.block(), block.incarnation())) {
                failures.progressed(block.block());
                balancer.progress(block);
            }
        }
        return steps.progress(report);
    }

    /** Some daemons are dead or leave: their blocks are reassigned at once. */
    void lost(List<FailureVerdict> verdicts, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        Set<Integer> orphans = new TreeSet<>();
        for (FailureVerdict lost : verdicts) {
            leaving.remove(lost.member());
            helped.remove(lost.member());
            boolean canBlame = lost.cause() != FailureVerdict.Cause.LEFT && assignments.hasAccepted(lost.member());
            List<Integer> theirs = assignments.release(lost.member());
            turn.emit(new JobEvent.DaemonLost(lost.member(), lost.cause(), lost.silentNanos(), theirs));
            for (int block : theirs) {
                if (canBlame && failures.failed(block, lost.member())) {
                    fail(block, blamed(block), turn.now());
                }
            }
            orphans.addAll(theirs);
        }
        if (canMove(orphans, turn.now())) {
            place(orphans, members, leader, turn);
        }
    }

    /** A daemon leaves: what rests there goes elsewhere. Returns whether nothing is left there. */
    boolean leaves(
            RegistrationMessage.Leaving message, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        leaving.add(message.daemon());
        Set<Integer> saved = new TreeSet<>(assignments.blocksOf(message.daemon()));
        message.busy().forEach(saved::remove);
        assignments.release(message.daemon(), saved);
        if (!saved.isEmpty()) {
            turn.emit(new JobEvent.DaemonLeaving(message.daemon(), List.copyOf(saved)));
            if (canMove(saved, turn.now())) {
                place(saved, members, leader, turn);
            }
        }
        return assignments.blocksOf(message.daemon()).isEmpty();
    }

    /** Blocks that can neither be restored alone nor roll back with all others end the job. */
    private boolean canMove(Set<Integer> orphans, long now) {
        if (orphans.isEmpty() || config.recovery().restartable() || rollback.isPresent()) {
            return true;
        }
        fail(
                orphans.iterator().next(),
                "the daemon of blocks " + orphans + " is lost, and in the synchronous scheme blocks of a problem that"
                        + " has time steps cannot go back; use the asynchronous one",
                now);
        return false;
    }

    /** A block cannot be opened where it is: another daemon tries. */
    void failed(
            WorkerId daemon,
            BlockMessage.BlockFailed failed,
            List<Member> members,
            Optional<WorkerId> leader,
            SpawnerTurn turn) {
        if (!serves(failed.block(), failed.incarnation())
                || !assignments.blocksOf(daemon).contains(failed.block())) {
            return;
        }
        boolean exhausted = failures.failed(failed.block(), daemon);
        Set<WorkerId> tried = failures.failedDaemons(failed.block());
        if (exhausted || members.stream().map(Member::id).allMatch(tried::contains)) {
            fail(failed.block(), failed.reason() + " (tried on " + tried.size() + " daemons)", turn.now());
            return;
        }
        assignments.release(daemon, Set.of(failed.block()));
        place(Set.of(failed.block()), members, leader, turn);
    }

    /** A daemon has joined: it may take what waits. */
    void joined(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (!assignments.parked().isEmpty()) {
            place(Set.of(), members, leader, turn);
        }
    }

    /** Whether blocks may move though no daemon is lost. */
    private boolean canRelieve() {
        boolean canMove = rollback.map(r -> !r.isDue()).orElse(config.recovery().restartable());
        return canMove
                && failure.isEmpty()
                && unknown.isEmpty()
                && assignments.parked().isEmpty();
    }

    /** Whether a daemon here has too many blocks, and no daemon has time for them. */
    boolean isCrowded(List<Member> members) {
        return canRelieve()
                && balancer.hasOverloaded(members, assignments)
                && staying(members).stream().noneMatch(member -> balancer.hasTime(member, assignments));
    }

    /** Daemons that had to take the blocks of others are relieved of them. */
    private void relieve(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (!canRelieve()) {
            return;
        }
        if (rollback.isPresent()) {
            relieveInStep(rollback.get(), members, turn);
            return;
        }
        List<Member> staying = staying(members);
        for (Member helper : staying) {
            if (holders.isWarmedUp(helper.id()) && balancer.hasTime(helper, assignments)) {
                balancer.relief(helper, staying, assignments, failures).forEach((daemon, blocks) -> {
                    assignments.release(daemon, blocks);
                    placed(blocks, assignments.place(List.of(helper), holders::isCold, failures, turn), leader, turn);
                });
            }
        }
    }

    /**
     * In lock-step a block moves only in a rollback of all blocks, so the move waits for a checkpoint that was just completed.
     * It is tried once for each daemon: one that gets nothing, for lack of memory, must not cause repeated rollbacks.
     */
    private void relieveInStep(GroupRollback inStep, List<Member> members, SpawnerTurn turn) {
        if (!inStep.pollSettled(turn)) {
            return;
        }
        balancer.checkpointed(assignments.blocks());
        List<Member> staying = staying(members);
        for (Member helper : staying) {
            boolean canHelp = holders.isWarmedUp(helper.id()) && !helped.contains(helper.id());
            if (canHelp && balancer.hasTime(helper, assignments)) {
                balancer.relief(helper, staying, assignments, failures).forEach((daemon, blocks) -> {
                    helped.add(helper.id());
                    assignments.release(daemon, blocks);
                    inStep.lost(turn.now());
                });
            }
        }
    }

    void tick(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        relieve(members, leader, turn);
        if (!unknown.isEmpty() && turn.now() >= unknownUntil) {
            Set<Integer> assigned = new TreeSet<>(unknown);
            assigned.forEach(block -> assignments.park(block, assignments.term().owner()));
            unknown.clear();
            if (canMove(assigned, turn.now())) {
                place(assigned, members, leader, turn);
            }
        }
        turn.wakeAt(unknown.isEmpty() ? Long.MAX_VALUE : unknownUntil);
        assignments.tick(turn);
        snapshots.tick(turn);
        if (failure.isEmpty()) {
            steps.tick(turn);
        }
        rollback.ifPresent(r -> r.tick(leader, turn));
        tokens.ifPresent(t -> t.tick(turn));
        if (turn.now() >= parkedUntil) {
            parkedUntil = Long.MAX_VALUE;
            fail(
                    assignments.parked().getFirst(),
                    "blocks " + assignments.parked() + " have had no daemon for "
                            + config.recovery().patience() + "; add daemons or memory",
                    turn.now());
        }
        turn.wakeAt(parkedUntil);
        if (failure.isPresent() && leader.isPresent()) {
            if (turn.now() >= failAgainAt) {
                failAgainAt = turn.now() + config.retry().toNanos();
                turn.send(leader.get(), failure.get());
            }
            turn.wakeAt(failAgainAt);
        }
    }

    int entries() {
        return assignments.entries()
                + snapshots.entries()
                + steps.entries()
                + failures.entries()
                + balancer.entries()
                + leaving.size()
                + helped.size()
                + unknown.size()
                + rollback.map(GroupRollback::entries).orElse(0)
                + tokens.map(GroupTokens::entries).orElse(0);
    }

    private boolean serves(int block, Incarnation incarnation) {
        return directory
                .find(block)
                .map(BlockAssignment::incarnation)
                .filter(incarnation::equals)
                .isPresent();
    }

    /**
     * Finds daemons for all blocks that have none.
     *
     * @param orphans those that have just lost theirs
     */
    private void place(Set<Integer> orphans, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (rollback.isPresent() && !orphans.isEmpty()) {
            rollback.get().lost(turn.now());
            snapshots.replaced(leader, orphans, turn);
            return;
        }
        if (rollback.filter(GroupRollback::isDue).isEmpty()) {
            placed(orphans, assignments.place(staying(members), holders::isCold, failures, turn), leader, turn);
        }
    }

    /** Present in jobs whose blocks all roll back when one has lost its daemon. */
    Optional<GroupRollback> rollback() {
        return rollback;
    }

    /** Present in jobs in which tokens detect convergence. */
    Optional<GroupTokens> tokens() {
        return tokens;
    }

    /** The leader begins a new epoch: all blocks roll back. */
    void rollback(
            WorkerId from,
            RollbackMessage.BeginEpoch message,
            List<Member> members,
            Optional<WorkerId> leader,
            SpawnerTurn turn) {
        if (leader.isPresent()
                && rollback.filter(r -> r.rollback(from, message, turn)).isPresent()) {
            // A daemon that still computes a block of unknown place would have to roll back as well.
            unknown.forEach(block -> assignments.park(block, assignments.term().owner()));
            unknown.clear();
            Set<Integer> orphans = new TreeSet<>(assignments.parked());
            placed(
                    orphans,
                    assignments.restart(rollback.get().epoch(), staying(members), failures, turn),
                    leader,
                    turn);
            snapshots.replaced(leader, assignments.blocks(), turn);
        }
    }

    private void placed(
            Set<Integer> orphans, Map<Member, List<Integer>> assigned, Optional<WorkerId> leader, SpawnerTurn turn) {
        assigned.forEach((daemon, blocks) -> turn.emit(new JobEvent.BlocksReassigned(daemon.id(), blocks)));
        assigned.values().forEach(balancer::moved);
        List<Integer> parked = new ArrayList<>(assignments.parked());
        parkedUntil = parked.isEmpty()
                ? Long.MAX_VALUE
                : Math.min(
                        parkedUntil, turn.now() + config.recovery().patience().toNanos());
        parked.retainAll(orphans);
        if (!parked.isEmpty()) {
            turn.emit(new JobEvent.BlocksParked(parked));
        }
        Set<Integer> changed = new TreeSet<>(orphans);
        assigned.values().forEach(changed::addAll);
        if (!changed.isEmpty()) {
            snapshots.replaced(leader, changed, turn);
            steps.replaced(changed, turn);
        }
    }

    private void fail(int block, String reason, long now) {
        if (failure.isEmpty()) {
            Incarnation incarnation = directory
                    .find(block)
                    .map(BlockAssignment::incarnation)
                    .orElse(new Incarnation(assignments.term(), 1));
            failure = Optional.of(new BlockMessage.BlockFailed(block, incarnation, reason, true));
            failAgainAt = now;
        }
    }

    private String blamed(int block) {
        return "block " + block + " of " + graph.blocks().get(block).bytes() + " bytes took "
                + failures.failedDaemons(block).size() + " daemons down without completing an iteration: "
                + failures.failedDaemons(block)
                + "; look at their logs, give daemons more memory or use more blocks";
    }
}
