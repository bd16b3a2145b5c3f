package dev.volary.protocol.spawner;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import dev.volary.protocol.Verdict;
import dev.volary.protocol.formation.Assignments;
import dev.volary.protocol.formation.Attempts;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.snapshot.SnapshotConfig;
import dev.volary.protocol.snapshot.SnapshotGroup;
import dev.volary.protocol.step.StepGroup;
import dev.volary.protocol.step.StepRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The blocks of one group: given to daemons, taken from those that are lost, that leave or that cannot serve them, and given to
 * others under new incarnations. A block that fails too often, or finds no daemon for too long, ends the job.
 */
final class Group {
    private final JobShape shape;
    private final JobConfig config;
    private final Register register;
    private final Assignments assignments;
    private final SnapshotGroup snapshots;
    private final StepGroup steps;
    private final Optional<LockStepGroup> lockStep;
    private final Attempts attempts;
    private final Set<NodeId> leaving = new TreeSet<>();
    private Optional<Message> failure = Optional.empty();
    private long failAgainAt = Long.MAX_VALUE;
    private long parkedUntil = Long.MAX_VALUE;

    /**
     * @param lockStep present if all blocks go back when one has lost its daemon
     */
    Group(
            JobShape shape,
            JobConfig config,
            Register register,
            Assignments assignments,
            SnapshotGroup snapshots,
            Optional<LockStepGroup> lockStep) {
        this.lockStep = lockStep;
        this.shape = shape;
        this.config = config;
        this.register = register;
        this.assignments = assignments;
        this.snapshots = snapshots;
        SnapshotConfig certificate = config.snapshots();
        this.steps = new StepGroup(
                shape, register, config.retry(), certificate.kappa() * certificate.tolerance(), assignments.blocks());
        this.attempts = new Attempts(config.recovery().blockAttempts());
    }

    Assignments assignments() {
        return assignments;
    }

    SnapshotGroup snapshots() {
        return snapshots;
    }

    /** A time step is committed. */
    void commit(StepRecord record, Actions out, long now) {
        snapshots.stepOver(record.step());
        steps.commit(record.of(shape.withSources(assignments.blocks())), out, now);
    }

    /** A daemon reports. Returns whether the lead should hear of it at once. */
    boolean progress(Message.DaemonReport report) {
        assignments.progress(report);
        long base = lockStep.map(s -> s.rollbacks().base()).orElse(0L);
        for (Message.BlockProgress block : report.blocks()) {
            boolean iterates = block.iterates() && block.iteration() > base;
            if (iterates && serves(block.block(), block.incarnation())) {
                attempts.progressed(block.block());
            }
        }
        return steps.progress(report);
    }

    /** Some daemons are gone: their blocks get others at once. */
    void lost(List<Verdict> gone, List<Member> members, Optional<NodeId> lead, Actions out, long now) {
        Set<Integer> orphans = new TreeSet<>();
        for (Verdict lost : gone) {
            leaving.remove(lost.member());
            boolean mayBlame = lost.cause() != Verdict.Cause.LEFT && assignments.accepted(lost.member());
            List<Integer> theirs = assignments.release(lost.member());
            out.add(new Action.Emit(new JobEvent.DaemonLost(lost.member(), lost.cause(), lost.silentNanos(), theirs)));
            for (int block : theirs) {
                if (mayBlame && attempts.failed(block, lost.member())) {
                    fail(block, blamed(block), now);
                }
            }
            orphans.addAll(theirs);
        }
        if (mayMove(orphans, now)) {
            place(orphans, members, lead, out, now);
        }
    }

    /** A daemon leaves: what rests there goes elsewhere. Returns whether nothing is left there. */
    boolean leaves(Message.Leaving message, List<Member> members, Optional<NodeId> lead, Actions out, long now) {
        leaving.add(message.daemon());
        Set<Integer> saved = new TreeSet<>(assignments.of(message.daemon()));
        message.busy().forEach(saved::remove);
        assignments.release(message.daemon(), saved);
        if (!saved.isEmpty() && mayMove(saved, now)) {
            place(saved, members, lead, out, now);
        }
        return assignments.of(message.daemon()).isEmpty();
    }

    /** Blocks that neither begin again alone nor go back with all others end the job. */
    private boolean mayMove(Set<Integer> orphans, long now) {
        if (orphans.isEmpty() || config.recovery().restartable() || lockStep.isPresent()) {
            return true;
        }
        fail(
                orphans.iterator().next(),
                "the daemon of blocks " + orphans + " is gone, and in the synchronous scheme blocks of a problem that"
                        + " marches in time cannot go back; use the asynchronous one",
                now);
        return false;
    }

    /** A block cannot be opened where it is: another daemon tries. */
    void failed(
            NodeId daemon,
            Message.BlockFailed failed,
            List<Member> members,
            Optional<NodeId> lead,
            Actions out,
            long now) {
        if (!serves(failed.block(), failed.incarnation())
                || !assignments.of(daemon).contains(failed.block())) {
            return;
        }
        boolean exhausted = attempts.failed(failed.block(), daemon);
        Set<NodeId> tried = attempts.on(failed.block());
        if (exhausted || members.stream().map(Member::id).allMatch(tried::contains)) {
            fail(failed.block(), failed.reason() + " (tried on " + tried.size() + " daemons)", now);
            return;
        }
        assignments.release(daemon, Set.of(failed.block()));
        place(Set.of(failed.block()), members, lead, out, now);
    }

    /** A daemon has joined: it may take what waits. */
    void joined(List<Member> members, Optional<NodeId> lead, Actions out, long now) {
        if (!assignments.parked().isEmpty()) {
            place(Set.of(), members, lead, out, now);
        }
    }

    void tick(Optional<NodeId> lead, Actions out, long now) {
        assignments.tick(out, now);
        snapshots.tick(out, now);
        steps.tick(out, now);
        lockStep.ifPresent(s -> s.tick(lead, out, now));
        if (now >= parkedUntil) {
            parkedUntil = Long.MAX_VALUE;
            fail(
                    assignments.parked().getFirst(),
                    "blocks " + assignments.parked() + " have had no daemon for "
                            + config.recovery().patience() + "; add daemons or memory",
                    now);
        }
        out.wakeAt(parkedUntil);
        if (failure.isPresent() && lead.isPresent()) {
            if (now >= failAgainAt) {
                failAgainAt = now + config.retry().toNanos();
                out.send(lead.get(), failure.get());
            }
            out.wakeAt(failAgainAt);
        }
    }

    int entries() {
        return assignments.entries()
                + snapshots.entries()
                + steps.entries()
                + attempts.entries()
                + leaving.size()
                + lockStep.map(LockStepGroup::entries).orElse(0);
    }

    private boolean serves(int block, Incarnation incarnation) {
        return register.find(block)
                .map(RegisterEntry::incarnation)
                .filter(incarnation::equals)
                .isPresent();
    }

    /**
     * Finds daemons for all blocks that have none.
     *
     * @param orphans those that have just lost theirs
     */
    private void place(Set<Integer> orphans, List<Member> members, Optional<NodeId> lead, Actions out, long now) {
        if (lockStep.isPresent() && !orphans.isEmpty()) {
            lockStep.get().rollbacks().lost(now);
            snapshots.replaced(lead, orphans, out);
            return;
        }
        if (lockStep.filter(s -> s.rollbacks().due()).isEmpty()) {
            placed(orphans, assignments.place(staying(members), attempts, out), lead, out, now);
        }
    }

    /** What only synchronous jobs say. */
    void inStep(
            NodeId from, Message.InStep message, List<Member> members, Optional<NodeId> lead, Actions out, long now) {
        if (lockStep.isEmpty() || lead.isEmpty()) {
            return;
        }
        if (message instanceof Message.InStep.Rollback rollback) {
            rollback(from, rollback, members, lead, out, now);
        } else {
            lockStep.get().received(from, message, lead.get(), out, now);
        }
    }

    /** The lead begins a new epoch: all blocks go back. */
    private void rollback(
            NodeId from,
            Message.InStep.Rollback message,
            List<Member> members,
            Optional<NodeId> lead,
            Actions out,
            long now) {
        if (lockStep.isPresent() && lockStep.get().rollbacks().rollback(from, message, out)) {
            Set<Integer> orphans = new TreeSet<>(assignments.parked());
            placed(
                    orphans,
                    assignments.restart(lockStep.get().rollbacks().epoch(), staying(members), attempts, out),
                    lead,
                    out,
                    now);
            snapshots.replaced(lead, assignments.blocks(), out);
        }
    }

    private List<Member> staying(List<Member> members) {
        return members.stream().filter(member -> !leaving.contains(member.id())).toList();
    }

    private void placed(
            Set<Integer> orphans, Map<Member, List<Integer>> given, Optional<NodeId> lead, Actions out, long now) {
        given.forEach((daemon, blocks) -> out.add(new Action.Emit(new JobEvent.BlocksReassigned(daemon.id(), blocks))));
        List<Integer> parked = new ArrayList<>(assignments.parked());
        parkedUntil = parked.isEmpty()
                ? Long.MAX_VALUE
                : Math.min(parkedUntil, now + config.recovery().patience().toNanos());
        parked.retainAll(orphans);
        if (!parked.isEmpty()) {
            out.add(new Action.Emit(new JobEvent.BlocksParked(parked)));
        }
        Set<Integer> changed = new TreeSet<>(orphans);
        given.values().forEach(changed::addAll);
        if (!changed.isEmpty()) {
            snapshots.replaced(lead, changed, out);
            steps.replaced(changed, out, now);
        }
    }

    private void fail(int block, String reason, long now) {
        if (failure.isEmpty()) {
            Incarnation incarnation =
                    register.find(block).map(RegisterEntry::incarnation).orElse(new Incarnation(assignments.term(), 1));
            failure = Optional.of(new Message.BlockFailed(block, incarnation, reason, true));
            failAgainAt = now;
        }
    }

    private String blamed(int block) {
        return "block " + block + " of " + shape.blocks().get(block).bytes() + " bytes took "
                + attempts.on(block).size() + " daemons down without completing an iteration: " + attempts.on(block)
                + "; look at their logs, give daemons more memory or use more blocks";
    }
}
