// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reassigns the blocks of daemons that are dead, that leave or that cannot open them, under new incarnations. In lock-step the
 * blocks wait for a rollback of all blocks instead. A block that fails too often, or finds no daemon for too long, ends the job.
 */
final class BlockReassigner {
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final BlockAssignments assignments;
    private final GroupCoordination coordination;
    private final HolderDirectory holders;
    private final LoadBalancer balancer;
    private final FailureReporter failure;
    private final BlockFailures failures;
    private final Set<WorkerId> leaving = new TreeSet<>();
    private long parkedUntil = Long.MAX_VALUE;

    /** @param holders of the group's backups */
    BlockReassigner(
            JobGraph graph,
            SpawnerConfig config,
            BlockAssignments assignments,
            GroupCoordination coordination,
            HolderDirectory holders,
            LoadBalancer balancer,
            FailureReporter failure) {
        this.graph = graph;
        this.config = config;
        this.assignments = assignments;
        this.coordination = coordination;
        this.holders = holders;
        this.balancer = balancer;
        this.failure = failure;
        this.failures = new BlockFailures(config.recovery().blockAttempts());
    }

    /** Those of these daemons that may get blocks. */
    List<Member> staying(List<Member> members) {
        return members.stream().filter(member -> !leaving.contains(member.id())).toList();
    }

    /** Which daemons each block has failed on. */
    BlockFailures failures() {
        return failures;
    }

    /** Some daemons are dead or have left: their blocks are reassigned at once. */
    void lost(List<FailureVerdict> verdicts, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        Set<Integer> orphans = new TreeSet<>();
        for (FailureVerdict lost : verdicts) {
            leaving.remove(lost.member());
            boolean died = lost.cause() != FailureVerdict.Cause.LEFT;
            boolean canBlame = died && assignments.hasAccepted(lost.member());
            List<Integer> theirs = assignments.release(lost.member());
            turn.emit(new JobEvent.DaemonLost(lost.member(), lost.cause(), lost.silentNanos(), theirs));
            // One without blocks may have died of a block that it warmed up with, which excuses no other.
            if (died && !theirs.isEmpty()) {
                failures.died(theirs);
            }
            List<Integer> blamed = canBlame ? failures.diedWith(theirs, lost.member()) : List.of();
            if (!blamed.isEmpty()) {
                fail(blamed.getFirst(), reason(blamed), turn.now());
            }
            orphans.addAll(theirs);
        }
        reassign(orphans, members, leader, turn);
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
            reassign(saved, members, leader, turn);
        }
        return assignments.blocksOf(message.daemon()).isEmpty();
    }

    /** A block cannot be opened on the daemon that it is assigned to: another daemon tries. */
    void failed(
            WorkerId daemon,
            BlockMessage.BlockFailed failed,
            List<Member> members,
            Optional<WorkerId> leader,
            SpawnerTurn turn) {
        boolean exhausted = failures.failed(failed.block(), daemon);
        Set<WorkerId> tried = failures.failedDaemons(failed.block());
        if (exhausted || members.stream().map(Member::id).allMatch(tried::contains)) {
            fail(failed.block(), failed.reason() + " (tried on " + tried.size() + " daemons)", turn.now());
            return;
        }
        assignments.release(daemon, Set.of(failed.block()));
        place(Set.of(failed.block()), members, leader, turn);
    }

    /** A daemon has joined: it may take parked blocks. */
    void joined(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (!assignments.parked().isEmpty()) {
            place(Set.of(), members, leader, turn);
        }
    }

    /** Assigns these blocks, which no daemon computes any more, unless that ends the job. */
    void reassign(Set<Integer> orphans, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (canMove(orphans, turn.now())) {
            place(orphans, members, leader, turn);
        }
    }

    /** Blocks that can neither be restored alone nor roll back with all others end the job. */
    private boolean canMove(Set<Integer> orphans, long now) {
        if (orphans.isEmpty()
                || config.recovery().restartable()
                || coordination.rollback().isPresent()) {
            return true;
        }
        fail(
                orphans.iterator().next(),
                "the daemon of blocks " + orphans + " is lost, and in the synchronous scheme blocks of a problem that"
                        + " has time steps cannot go back; use the asynchronous one",
                now);
        return false;
    }

    /**
     * Finds daemons for all blocks that have none.
     *
     * @param orphans those that have just lost theirs
     */
    private void place(Set<Integer> orphans, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (coordination.rollback().isPresent() && !orphans.isEmpty()) {
            coordination.rollback().get().lost(turn.now());
            coordination.snapshots().replaced(leader, orphans, turn);
        } else if (!coordination.isRollbackDue()) {
            placed(orphans, assignments.place(staying(members), holders::isCold, failures, turn), leader, turn);
        }
    }

    /** Moves blocks to a daemon that has time for them. */
    void move(WorkerId from, Set<Integer> blocks, Member to, Optional<WorkerId> leader, SpawnerTurn turn) {
        assignments.release(from, blocks);
        placed(blocks, assignments.place(List.of(to), holders::isCold, failures, turn), leader, turn);
    }

    /** A new epoch has begun: all blocks get new incarnations, and parked ones a daemon. */
    void restart(int epoch, List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        Set<Integer> orphans = new TreeSet<>(assignments.parked());
        placed(orphans, assignments.restart(epoch, staying(members), failures, turn), leader, turn);
        coordination.snapshots().replaced(leader, assignments.blocks(), turn);
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
            coordination.reassigned(changed, leader, turn);
        }
    }

    /** Other spawners own some of the group's blocks now. */
    void ceded() {
        if (assignments.parked().isEmpty()) {
            parkedUntil = Long.MAX_VALUE;
        }
    }

    /** Blocks that have been parked for too long end the job. */
    void tick(SpawnerTurn turn) {
        if (turn.now() >= parkedUntil) {
            parkedUntil = Long.MAX_VALUE;
            fail(
                    assignments.parked().getFirst(),
                    "blocks " + assignments.parked() + " have had no daemon for "
                            + config.recovery().patience() + "; add daemons or memory",
                    turn.now());
        }
        turn.wakeAt(parkedUntil);
    }

    int entries() {
        return failures.entries() + leaving.size();
    }

    private void fail(int block, String reason, long now) {
        failure.fail(block, assignments.term(), reason, now);
    }

    private String reason(List<Integer> blamed) {
        Set<WorkerId> daemons = failures.failedDaemons(blamed.getFirst());
        String blocks = blamed.stream()
                .map(block ->
                        "block " + block + " of " + graph.blocks().get(block).bytes() + " bytes")
                .collect(Collectors.joining(" or "));
        return blocks + " took " + daemons.size() + " daemons down without completing an iteration: " + daemons
                + "; look at their logs, give daemons more memory or use more blocks";
    }
}
