// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.SnapshotTrigger;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.stepping.LeaderSteps;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of snapshots (docs/explanation/certification.md, "the protocol"), and the only place that may say
 * "certified". At most one snapshot is open. Its life: collecting → (continue | storing → assembling → finished), or, before
 * the last time step, storing → writing → committed. A certified result may be copied before it is finished; if its parts are
 * lost while it is assembled, the verdict is withdrawn and the next snapshot opens. Where a record is lost with its daemon
 * before it is stored, the snapshot is given up and the next one begins: its vector could not be delivered any more.
 *
 * <p>Where snapshots are kept, one that does not end the job is stored too and becomes a checkpoint, unless that has cost too
 * much of the time lately; with time steps it is the committed steps that are kept.
 */
public final class LeaderSnapshots {
    /** Snapshot numbers of a leader's term start here times its term less one, so they grow from leader to leader. */
    private static final long PER_TERM = 1L << 32;

    /** Storing checkpoints that were not requested may take one part in this many of the time. */
    private static final long KEEPING = 20;

    private enum Phase {
        IDLE,
        COLLECTING,
        STORING,
        WRITING,
        ASSEMBLING,
        /** The result is complete here, and is being copied to another spawner. */
        COPYING,
        /** The result is complete here, and is being brought to the storage that the job names. */
        PUBLISHING,
        /** Parts of the result are lost: the next snapshot opens once the log says so. */
        WITHDRAWING,
        OVER
    }

    private record Group(GroupTerm term, WorkerId owner, List<Integer> blocks) {}

    private final SnapshotConfig config;
    private final long retry;
    private final long finalBound;
    private final LeaderSteps steps;
    private SnapshotTrigger trigger;
    private StallDetector stallDetector = new StallDetector();
    private List<Group> groups;
    private final TreeMap<GroupTerm, SnapshotMessage.SnapshotGroupPart> parts = new TreeMap<>();
    private final TreeMap<GroupTerm, List<SnapshotMessage.StoredPart>> stored = new TreeMap<>();
    private Phase phase = Phase.IDLE;
    private long sid;
    private long openedAt;
    private long repeatAt = Long.MAX_VALUE;
    private long endAt = Long.MAX_VALUE;
    private int rechecks;
    private boolean isLast;
    private boolean isCertified;
    /** Whether what is being stored is a checkpoint only. */
    private boolean keeping;

    private boolean isStarted;
    /** Whether the verdict is an earlier leader's. */
    private boolean isInherited;

    private boolean resumedSteps;

    private boolean isCheckpointRequested;
    private long closedAt;
    private long checkpointAt = Long.MIN_VALUE;
    private double residual = Double.POSITIVE_INFINITY;

    /**
     * @param plan the groups
     * @param finalBound longest time of the last snapshot after the deadline
     * @param log of committed steps, which this leader has read
     */
    public LeaderSnapshots(
            JobGraph graph,
            SnapshotConfig config,
            Duration retry,
            Duration finalBound,
            TakeoverMessage.Plan plan,
            StepLog log) {
        this.config = config;
        this.retry = retry.toNanos();
        this.finalBound = finalBound.toNanos();
        this.steps = new LeaderSteps(graph, log, retry);
        this.trigger = SnapshotTrigger.of(config);
        this.sid = first(plan.leaderTerm(), log) * PER_TERM;
        this.groups = groups(plan.groups());
    }

    /**
     * The range of a leader's numbers. A step that is committed may be of another job, which this one goes on from: numbers are
     * above its number, too.
     */
    private static long first(long term, StepLog log) {
        return log.newest().map(record -> record.sid() / PER_TERM + term).orElse(term - 1);
    }

    private static List<Group> groups(List<TakeoverMessage.GroupPlan> plan) {
        return plan.stream()
                .filter(group -> !group.blocks().isEmpty())
                .map(group -> new Group(group.term(), group.spawner().id(), group.blocks()))
                .toList();
    }

    /**
     * Groups have changed hands: their new owners know nothing of an open snapshot, so it is given up.
     *
     * @return whether the groups are others now
     */
    public boolean regrouped(List<TakeoverMessage.GroupPlan> owned, SpawnerTurn turn) {
        List<Group> next = groups(owned);
        if (Set.copyOf(next).equals(Set.copyOf(groups))) {
            return false;
        }
        groups = next;
        steps.regrouped(turn.now());
        giveUp(turn);
        return true;
    }

    /** An earlier leader has logged its verdict, so all parts are durable: this one puts the result together. */
    public void resume(LogEntry.SnapshotVerdict verdict, SpawnerTurn turn) {
        sid = verdict.sid();
        residual = verdict.residual();
        isCertified = verdict.certified();
        phase = Phase.ASSEMBLING;
        isInherited = true;
        turn.add(new SpawnerAction.AssembleResult(sid, residual, isCertified, verdict.step(), verdict.parts()));
    }

    /** All blocks iterate: snapshots may begin. What an earlier leader wrote is committed first, if it was not yet. */
    public void start(SpawnerTurn turn) {
        trigger.start(turn.now());
        isStarted = true;
        if (phase == Phase.IDLE) {
            resumeSteps(turn);
        }
    }

    /** Commits the step that the log names, if it names one; returns whether it does. */
    private boolean resumeSteps(SpawnerTurn turn) {
        resumedSteps = true;
        boolean resumed = steps.resume(turn);
        if (resumed) {
            phase = Phase.WRITING;
            tick(turn);
        }
        return resumed;
    }

    /** The step that the blocks are to solve, from 1; 0 for a stationary problem. */
    public int step() {
        return steps.step();
    }

    /** All blocks of a group are in this step, or beyond. */
    public void reached(WorkerId owner, int step) {
        steps.reached(owner, step);
    }

    /** The largest of all blocks' newest hints; infinite while one is unknown. */
    public void setLargestHint(double largest) {
        trigger.setLargestHint(largest);
    }

    /** A detector claims that the job has converged: the next snapshot decides. */
    public void converged() {
        trigger.converged();
    }

    /** Whether a snapshot tests the claim of a detector, or is about to. */
    public boolean isTrying() {
        return trigger.isTrying();
    }

    /** All blocks roll back: what was recorded until now cannot be delivered, unless all of it is durable. */
    public void rolledBack(SpawnerTurn turn) {
        if (phase == Phase.IDLE) {
            trigger.withdrawn();
        }
        giveUp(turn);
    }

    /** The deadline has come: the open snapshot, or else one more, is the last. */
    public void deadline(SpawnerTurn turn) {
        if (isLast || phase == Phase.OVER) {
            return;
        }
        isLast = true;
        endAt = turn.now() + finalBound;
        if (phase == Phase.IDLE) {
            open(turn);
        }
    }

    /** Opens a snapshot if none is open. Where snapshots are kept, it will be, or the newest committed step once more. */
    public void openNow(SpawnerTurn turn) {
        isCheckpointRequested = true;
        if (config.kept() && steps.hasTimeSteps()) {
            steps.committed().ifPresent(record -> turn.add(new SpawnerAction.SaveCheckpoint(record)));
        }
        if (phase == Phase.IDLE) {
            open(turn);
        }
    }

    /** Takes what a group has evaluated, stored or lost. */
    public void received(SnapshotMessage.GroupReply message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.SnapshotGroupPart part -> part(part, turn);
            case SnapshotMessage.SnapshotGroupStored stored -> stored(stored, turn);
            case SnapshotMessage.Aborted aborted -> broken(aborted, turn);
        }
    }

    /** A group's parts, with the edges inside it checked. */
    private void part(SnapshotMessage.SnapshotGroupPart part, SpawnerTurn turn) {
        Group group = group(part.term());
        if (phase != Phase.COLLECTING
                || part.sid() != sid
                || group == null
                || part.blocks() != group.blocks().size()) {
            return;
        }
        parts.put(part.term(), part);
        if (parts.size() == groups.size() && edgesAgree(turn)) {
            close(turn);
        }
    }

    /** A group has stored all of its parts. */
    private void stored(SnapshotMessage.SnapshotGroupStored message, SpawnerTurn turn) {
        Group group = group(message.term());
        SnapshotMessage.SnapshotGroupPart part = parts.get(message.term());
        if (phase != Phase.STORING || message.sid() != sid || group == null || part == null) {
            return;
        }
        if (part.digest() != SnapshotDigest.ofStored(message.parts())) {
            open(turn);
            return;
        }
        TreeSet<Integer> blocks = new TreeSet<>();
        message.parts().forEach(durable -> blocks.add(durable.part().block()));
        blocks.retainAll(group.blocks());
        if (blocks.size() == group.blocks().size()) {
            stored.put(message.term(), message.parts());
        }
        if (stored.size() == groups.size()) {
            List<SnapshotMessage.StoredPart> all = new ArrayList<>();
            stored.values().forEach(all::addAll);
            all.sort((a, b) -> Integer.compare(a.part().block(), b.part().block()));
            if (config.kept() && !steps.hasTimeSteps()) {
                turn.add(new SpawnerAction.SaveCheckpoint(new CommittedStep(0, sid, residual, all)));
            }
            if (keeping) {
                checkpointAt = turn.now() + KEEPING * (turn.now() - closedAt);
                isCheckpointRequested = false;
                goOn(turn);
                return;
            }
            if (isCertified && !steps.isLast() && !isLast) {
                phase = Phase.WRITING;
                steps.write(new CommittedStep(steps.step(), sid, residual, all), turn);
                tick(turn);
                return;
            }
            isCertified &= steps.isLast();
            phase = Phase.ASSEMBLING;
            // This action names the verdict, every hash and every checksum: the leader logs it before it is done.
            turn.add(new SpawnerAction.AssembleResult(sid, residual, isCertified, steps.step(), all));
        }
    }

    /** A record was lost with its daemon: this snapshot is given up, and the next one begins. */
    private void broken(SnapshotMessage.Aborted message, SpawnerTurn turn) {
        if (message.sid() == sid && group(message.term()) != null) {
            giveUp(turn);
        }
    }

    /**
     * A part cannot be stored.
     *
     * @return whether the job can do without: it was of a checkpoint, or of a snapshot that is over
     */
    public boolean storeFailed(SnapshotMessage.StoreFailed failed, SpawnerTurn turn) {
        if (phase != Phase.STORING || failed.sid() != sid) {
            return phase != Phase.OVER;
        } else if (!keeping) {
            return false;
        }
        turn.emit(new JobEvent.CheckpointFailed(sid, failed.reason()));
        checkpointAt = turn.now() + KEEPING * (turn.now() - closedAt);
        goOn(turn);
        return true;
    }

    private void giveUp(SpawnerTurn turn) {
        if (keeping) {
            goOn(turn);
        } else if (phase == Phase.COLLECTING || phase == Phase.STORING) {
            if (trigger.broken() || isLast) {
                open(turn);
            } else {
                phase = Phase.IDLE;
            }
        }
    }

    /**
     * The result is complete in this spawner.
     *
     * @param copies whether another spawner must hold it too before it is delivered, if it is certified
     */
    public void assembled(long of, boolean copies, SpawnerTurn turn) {
        if (phase == Phase.ASSEMBLING && of == sid) {
            if (isCertified && copies) {
                phase = Phase.COPYING;
            } else {
                publish(turn);
            }
        }
    }

    /** The snapshot whose complete result needs a copy in another spawner, if there is one. */
    public OptionalLong snapshotToCopy() {
        return phase == Phase.COPYING ? OptionalLong.of(sid) : OptionalLong.empty();
    }

    /** The result is copied, or no spawner takes a copy. */
    public void copied(SpawnerTurn turn) {
        if (phase == Phase.COPYING) {
            publish(turn);
        }
    }

    private void publish(SpawnerTurn turn) {
        if (config.published()) {
            phase = Phase.PUBLISHING;
        } else {
            deliver(turn);
        }
    }

    /** Whether the result is complete, so that the blocks are not needed any more. */
    public boolean hasResult() {
        return phase == Phase.COPYING || phase == Phase.PUBLISHING;
    }

    /** The snapshot whose complete result must be brought to the storage that the job names, if there is one. */
    public OptionalLong snapshotToPublish() {
        return phase == Phase.PUBLISHING ? OptionalLong.of(sid) : OptionalLong.empty();
    }

    /** The result is published, or the leader has given up. */
    public void published(SpawnerTurn turn) {
        if (phase == Phase.PUBLISHING) {
            deliver(turn);
        }
    }

    private void deliver(SpawnerTurn turn) {
        finish(
                isCertified ? new JobOutcome.Certified(sid, residual) : new JobOutcome.NotConverged(sid, residual),
                turn);
    }

    /**
     * Parts of the result are lost before it is complete.
     *
     * @return whether the verdict must be withdrawn: {@link #reopen} follows once the log says so
     */
    public boolean partsMissing(long of) {
        if (phase != Phase.ASSEMBLING || of != sid) {
            return false;
        }
        phase = Phase.WITHDRAWING;
        return true;
    }

    /** The verdict is withdrawn: the next snapshot opens, as soon as all blocks iterate. */
    public void reopen(SpawnerTurn turn) {
        if (phase != Phase.WITHDRAWING) {
            return;
        }
        phase = Phase.IDLE;
        isCertified = false;
        boolean committing = isStarted && !resumedSteps && resumeSteps(turn);
        // Blocks may have rolled back since the change of leaders: the detector must see the convergence again.
        boolean waits = isInherited && trigger.waitsForDetector() && !isLast;
        if (isStarted && !committing && !waits) {
            converged(); // the vector was good enough
            open(turn);
        }
        isInherited = false;
    }

    /** Opens snapshots when it is time, repeats requests, keeps the bound after the deadline. */
    public void tick(SpawnerTurn turn) {
        if (phase == Phase.WRITING && steps.isWritten()) {
            commit(turn);
        }
        steps.tick(phase != Phase.OVER, groups.stream().map(Group::owner).toList(), turn);
        if (phase == Phase.IDLE && trigger.isDue(turn.now())) {
            open(turn);
        }
        if (turn.now() >= endAt && phase == Phase.COPYING) {
            publish(turn); // what is complete counts, copied or not
        } else if (turn.now() >= endAt && phase != Phase.PUBLISHING && phase != Phase.OVER) {
            finish(new JobOutcome.NotConverged(sid, Double.POSITIVE_INFINITY), turn);
        }
        if (turn.now() >= repeatAt && (phase == Phase.COLLECTING || phase == Phase.STORING)) {
            ask(turn);
        }
        if (phase == Phase.IDLE) {
            turn.wakeAt(trigger.wakeUp());
        } else if (phase == Phase.COLLECTING || phase == Phase.STORING) {
            turn.wakeAt(repeatAt);
        }
        if (phase != Phase.PUBLISHING && phase != Phase.OVER) {
            turn.wakeAt(endAt);
        }
    }

    /** Entries held. */
    public int entries() {
        return parts.values().stream()
                        .mapToInt(p -> 1 + p.boundary().size() + p.used().size())
                        .sum()
                + stored.values().stream().mapToInt(List::size).sum()
                + steps.entries();
    }

    /** The step's result is decided: all workers may act on it, and the next step begins. */
    private void commit(SpawnerTurn turn) {
        steps.commit(turn);
        if (config.kept()) {
            steps.committed().ifPresent(record -> turn.add(new SpawnerAction.SaveCheckpoint(record)));
        }
        trigger = SnapshotTrigger.of(config);
        trigger.start(turn.now());
        stallDetector = new StallDetector();
        phase = Phase.IDLE;
        if (isLast) {
            open(turn);
        }
    }

    private void open(SpawnerTurn turn) {
        sid++;
        keeping = false;
        phase = Phase.COLLECTING;
        openedAt = turn.now();
        rechecks = 0;
        parts.clear();
        stored.clear();
        trigger.opened(turn.now());
        ask(turn);
    }

    /** Asks the groups that did not answer. */
    private void ask(SpawnerTurn turn) {
        repeatAt = turn.now() + retry;
        turn.wakeAt(repeatAt);
        for (Group group : groups) {
            if (phase == Phase.COLLECTING && !parts.containsKey(group.term())) {
                turn.send(group.owner(), new SnapshotMessage.RecordBlocks(steps.step(), sid));
            } else if (phase == Phase.STORING && !stored.containsKey(group.term())) {
                turn.send(group.owner(), new SnapshotMessage.SnapshotStore(sid));
            }
        }
    }

    /** Checks the edges between groups; a group that used something else is asked to evaluate again. */
    private boolean edgesAgree(SpawnerTurn turn) {
        TreeMap<Integer, RecordedBlock> truth = new TreeMap<>();
        parts.values().forEach(part -> part.boundary().forEach(own -> truth.put(own.block(), own)));
        List<Group> wrong = new ArrayList<>();
        for (Group group : groups) {
            TreeMap<Integer, RecordedBlock> corrections = new TreeMap<>();
            for (RecordedBlock used : parts.getOrDefault(group.term(), EMPTY).used()) {
                RecordedBlock own = truth.get(used.block());
                if (own != null && !used.equals(own)) {
                    corrections.put(own.block(), own);
                } else if (own == null) {
                    wrong.add(group);
                }
            }
            if (!corrections.isEmpty()) {
                wrong.add(group);
                turn.send(group.owner(), new SnapshotMessage.Reevaluate(sid, List.copyOf(corrections.values())));
            }
        }
        wrong.forEach(group -> parts.remove(group.term()));
        if (!wrong.isEmpty()) {
            if (++rechecks > GroupSnapshots.MOST_RECHECKS) {
                finish(new JobOutcome.Failed(GroupSnapshots.disagreement(sid)), turn);
            }
            repeatAt = turn.now() + retry;
            turn.wakeAt(repeatAt);
        }
        return wrong.isEmpty();
    }

    private static final SnapshotMessage.SnapshotGroupPart EMPTY = new SnapshotMessage.SnapshotGroupPart(
            0, new GroupTerm(0, new WorkerId(1)), 0, List.of(), List.of(), List.of(), PartialResidual.ZERO, 0, 0);

    private void close(SpawnerTurn turn) {
        PartialResidual all = PartialResidual.ZERO;
        TreeSet<Integer> broken = new TreeSet<>();
        long cost = 0;
        for (Group group : groups) {
            SnapshotMessage.SnapshotGroupPart part = parts.getOrDefault(group.term(), EMPTY);
            all = all.combine(part.residual());
            broken.addAll(part.broken());
            cost = Math.max(cost, part.costNanos());
        }
        residual = all.bound();
        turn.emit(new JobEvent.SnapshotClosed(sid, residual, all.sumOfSquares(), turn.now() - openedAt));
        if (!broken.isEmpty() || !Double.isFinite(residual)) {
            finish(
                    new JobOutcome.Failed("the residual of blocks " + broken + " is " + residual
                            + ", no finite number: the iteration diverges or its data are bad; check the problem's"
                            + " parameters, its pre-flight certificate and its inputs"),
                    turn);
            return;
        }
        boolean goodEnough = all.bound() <= config.tolerance();
        isCertified = (trigger.decides(goodEnough) || isLast) && goodEnough;
        if (isCertified || isLast) {
            phase = Phase.STORING;
            ask(turn);
            return;
        }
        trigger.closed(residual, cost, turn.now());
        if (stallDetector.closed(trigger.hintsAreSmall(), residual)) {
            turn.emit(new JobEvent.LocallyStalled(trigger.largestHint(), residual));
        }
        if (config.kept() && !steps.hasTimeSteps() && (isCheckpointRequested || turn.now() >= checkpointAt)) {
            keeping = true;
            closedAt = turn.now();
            phase = Phase.STORING;
            ask(turn);
        } else {
            goOn(turn);
        }
    }

    /** This snapshot does not end the job: its records are dropped, and the next one begins when it is time. */
    private void goOn(SpawnerTurn turn) {
        keeping = false;
        phase = Phase.IDLE;
        groups.forEach(group -> turn.send(group.owner(), new SnapshotMessage.Discard(sid, residual)));
        if (isLast) {
            open(turn);
        }
        turn.wakeAt(trigger.wakeUp());
    }

    private void finish(JobOutcome outcome, SpawnerTurn turn) {
        phase = Phase.OVER;
        turn.add(new SpawnerAction.Finish(outcome));
    }

    private @Nullable Group group(GroupTerm term) {
        for (Group group : groups) {
            if (group.term().equals(term)) {
                return group;
            }
        }
        return null;
    }
}
