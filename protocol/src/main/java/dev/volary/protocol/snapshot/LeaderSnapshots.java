// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.SnapshotTrigger;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.KeptAnswer;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.stepping.LeaderSteps;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The leader's side of snapshots (docs/explanation/certification.md, "the protocol"), and the only place that may say
 * "certified". It decides when a snapshot opens, and what a closed one means: the job goes on, a time step is committed, or the
 * result is delivered. At most one snapshot is open ({@link OpenSnapshot}); a result is delivered by {@link ResultDelivery}.
 *
 * <p>A snapshot whose record is lost with its daemon before it is stored is given up, and the next one begins: its vector could
 * not be delivered any more. A verdict whose parts are lost later is withdrawn, and the next snapshot opens as well.
 *
 * <p>Which of the snapshots that do not end the job are stored is for {@link IntermediateSnapshots}.
 *
 * <p>With what a job ends at its deadline is for the {@link LastSnapshotDeadline}. An answer whose parts are lost is withdrawn as a
 * verdict is, and another snapshot is the last.
 */
public final class LeaderSnapshots {
    private enum Phase {
        /** The trigger decides when the next snapshot opens. */
        IDLE,
        /** The groups evaluate, or store, the parts of a snapshot. */
        OPEN,
        /** All parts are stored; what they mean is decided once an earlier time step is put together for the result. */
        STORED,
        /** The result of a time step is being logged. */
        WRITING,
        /** The verdict is made: its result is on the way. */
        DELIVERING,
        OVER
    }

    private final SnapshotConfig config;
    private final LeaderSteps steps;
    private final SnapshotSequence snapshots;
    private final BestAnswer best;
    private final IntermediateSnapshots intermediate;
    private final LastSnapshotDeadline deadline;
    private final ResultDelivery delivery;
    private SnapshotTrigger trigger;
    private StallDetector stallDetector = new StallDetector();
    private Phase phase = Phase.IDLE;
    /** Of the newest snapshot that has closed, or of what is delivered. */
    private double residual = Double.POSITIVE_INFINITY;

    private boolean isCertified;
    /** The snapshot that is delivered, and how far blocks were when it was recorded. */
    private long deliveredSid;

    private long deliveredIterations;
    /** Whether the verdict is an earlier leader's. */
    private boolean isInherited;

    private boolean isStarted;
    private boolean resumedSteps;

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
        this.steps = new LeaderSteps(graph, log, retry, config.outputEvery());
        this.snapshots = new SnapshotSequence(retry, plan, log, steps.step());
        this.best = new BestAnswer(config.keepsBest());
        this.intermediate = new IntermediateSnapshots(config, steps.hasTimeSteps(), best);
        this.deadline = new LastSnapshotDeadline(finalBound, best);
        this.delivery = new ResultDelivery(config.published());
        this.trigger = SnapshotTrigger.of(config);
    }

    // ---- how the job goes ------------------------------------------------------------------------------------------

    /** An earlier leader has logged its verdict, so all parts are durable: this one puts the result together. */
    public void resume(LogEntry.SnapshotVerdict verdict, SpawnerTurn turn) {
        isCertified = verdict.certified();
        isInherited = true;
        if (!isCertified) {
            deadline.pass(turn.now()); // the deadline has come already
        }
        assemble(
                verdict.step(),
                new KeptAnswer(verdict.sid(), verdict.residual(), verdict.iterations(), verdict.parts()),
                turn);
    }

    /** An earlier leader has logged that this answer is kept. */
    public void resume(KeptAnswer answer) {
        best.inherited(answer);
    }

    /** All blocks iterate: snapshots may begin. What an earlier leader wrote is committed first, if it was not yet. */
    public void start(SpawnerTurn turn) {
        trigger.start(turn.now(), steps.step() <= 1);
        isStarted = true;
        if (phase == Phase.IDLE) {
            resumeSteps(turn);
        }
    }

    /**
     * Groups have changed hands: their new owners know nothing of an open snapshot, so it is given up.
     *
     * @return whether the groups are others now
     */
    public boolean regrouped(List<TakeoverMessage.GroupPlan> owned, SpawnerTurn turn) {
        if (!snapshots.regrouped(owned)) {
            return false;
        }
        steps.regrouped(turn.now());
        giveUp(turn);
        return true;
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
        if (deadline.hasPassed() || phase == Phase.OVER) {
            return;
        }
        deadline.pass(turn.now());
        if (phase == Phase.IDLE) {
            open(turn);
        }
    }

    // ---- when a snapshot opens -------------------------------------------------------------------------------------

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

    /** Opens a snapshot if none is open. Where snapshots are kept, it will be, or the newest committed step once more. */
    public void openNow(SpawnerTurn turn) {
        intermediate.requestCheckpoint();
        steps.committed().ifPresent(record -> intermediate.committed(record, turn));
        if (phase == Phase.IDLE) {
            open(turn);
        }
    }

    private void open(SpawnerTurn turn) {
        phase = Phase.OPEN;
        intermediate.abandon();
        trigger.opened(turn.now());
        snapshots.open(steps.step(), turn);
    }

    private void giveUp(SpawnerTurn turn) {
        if (intermediate.isStoring()) {
            goOn(turn);
        } else if (phase == Phase.OPEN) {
            if (trigger.broken() || deadline.hasPassed()) {
                open(turn);
            } else {
                phase = Phase.IDLE;
            }
        }
    }

    /** This snapshot does not end the job: its records are dropped, and the next one begins when it is time. */
    private void goOn(SpawnerTurn turn) {
        phase = Phase.IDLE;
        intermediate.abandon();
        snapshots.discard(residual, turn);
        if (deadline.hasPassed()) {
            open(turn);
        }
        turn.wakeAt(trigger.wakeUp());
    }

    // ---- what a closed snapshot means ------------------------------------------------------------------------------

    /** Takes what a group has evaluated, stored or lost. */
    public void received(SnapshotMessage.GroupReply message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.SnapshotGroupPart part -> evaluated(part, turn);
            case SnapshotMessage.SnapshotGroupStored stored -> stored(stored, turn);
            case SnapshotMessage.Aborted aborted -> aborted(aborted, turn);
        }
    }

    private void evaluated(SnapshotMessage.SnapshotGroupPart part, SpawnerTurn turn) {
        OpenSnapshot snapshot = snapshots.newest();
        if (phase != Phase.OPEN || !snapshot.evaluated(part)) {
            return;
        }
        if (snapshot.edgesAgree(turn)) {
            close(turn);
        } else if (snapshot.isHopeless()) {
            finish(new JobOutcome.Failed(GroupSnapshots.disagreement(snapshot.sid())), turn);
        }
    }

    /** All groups have evaluated the same vector: this is where it is certified, or not. */
    private void close(SpawnerTurn turn) {
        OpenSnapshot snapshot = snapshots.newest();
        OpenSnapshot.Evaluation all = snapshot.evaluation();
        residual = all.residual().bound();
        turn.emit(new JobEvent.SnapshotClosed(
                snapshot.sid(),
                residual,
                all.residual().sumOfSquares(),
                all.iterations(),
                turn.now() - snapshot.openedAt()));
        if (!all.notFinite().isEmpty() || !Double.isFinite(residual)) {
            finish(
                    new JobOutcome.Failed("the residual of blocks " + all.notFinite() + " is " + residual
                            + ", no finite number: the iteration diverges or its data are bad; check the problem's"
                            + " parameters, its pre-flight certificate and its inputs"),
                    turn);
            return;
        }
        boolean goodEnough = residual <= config.tolerance();
        isCertified = (trigger.decides(goodEnough) || deadline.hasPassed()) && goodEnough;
        Optional<KeptAnswer> better = isCertified ? Optional.empty() : deadline.insteadOf(residual);
        if (better.isPresent()) {
            assemble(0, better.get(), turn);
            return;
        } else if (isCertified || deadline.hasPassed()) {
            snapshot.store(turn);
            return;
        }
        trigger.closed(residual, all.costNanos(), turn.now());
        if (stallDetector.closed(trigger.hintsAreSmall(), residual)) {
            turn.emit(new JobEvent.LocallyStalled(trigger.largestHint(), residual));
        }
        if (intermediate.closed(residual, turn.now())) {
            snapshot.store(turn);
        } else {
            goOn(turn);
        }
    }

    private void stored(SnapshotMessage.SnapshotGroupStored message, SpawnerTurn turn) {
        if (phase != Phase.OPEN) {
            return;
        }
        switch (snapshots.newest().stored(message)) {
            // Other groups have not answered.
            case INCOMPLETE -> {}
            case NOT_AS_EVALUATED -> open(turn);
            case COMPLETE -> allStored(turn);
        }
    }

    private void allStored(SpawnerTurn turn) {
        if (intermediate.stored(answer(), turn)) {
            goOn(turn);
        } else if (steps.isAssembling()) {
            phase = Phase.STORED;
        } else {
            decide(turn);
        }
    }

    /** The newest snapshot, all of whose parts are stored. */
    private KeptAnswer answer() {
        OpenSnapshot snapshot = snapshots.newest();
        return new KeptAnswer(snapshot.sid(), residual, snapshot.iterations(), snapshot.storedParts());
    }

    private void decide(SpawnerTurn turn) {
        KeptAnswer answer = answer();
        if (isCertified && !steps.isLast() && !deadline.hasPassed()) {
            phase = Phase.WRITING;
            steps.write(new CommittedStep(steps.step(), answer.sid(), residual, answer.parts()), turn);
            tick(turn);
        } else {
            isCertified &= steps.isLast();
            assemble(steps.step(), answer, turn);
        }
    }

    /** A record was lost with its daemon: this snapshot is given up, and the next one begins. */
    private void aborted(SnapshotMessage.Aborted message, SpawnerTurn turn) {
        OpenSnapshot snapshot = snapshots.newest();
        if (message.sid() == snapshot.sid() && snapshot.has(message.term())) {
            giveUp(turn);
        }
    }

    /**
     * A part cannot be stored.
     *
     * @return whether the job can do without: it was of a checkpoint, of an answer to be kept, or of a snapshot that is over, or
     *     the next snapshot may be stored
     */
    public boolean storeFailed(SnapshotMessage.StoreFailed failed, SpawnerTurn turn) {
        OpenSnapshot snapshot = snapshots.newest();
        if (phase != Phase.OPEN || !snapshot.isStoring() || failed.sid() != snapshot.sid()) {
            return phase != Phase.OVER;
        } else if (intermediate.isStoring()) {
            intermediate.storeFailed(snapshot.sid(), failed.reason(), turn);
            goOn(turn);
        } else if (failed.isTemporary()) {
            turn.emit(new JobEvent.VerdictWithdrawn(snapshot.sid(), failed.reason()));
            giveUp(turn);
        } else {
            return false;
        }
        return true;
    }

    // ---- time steps ------------------------------------------------------------------------------------------------

    /** The step that the blocks are to solve, from 1; 0 for a stationary problem. */
    public int step() {
        return steps.step();
    }

    /** The newest committed step, as far as this leader has announced it. */
    public Optional<CommittedStep> committed() {
        return steps.committed();
    }

    /** All blocks of a group are in this step, or beyond. */
    public void reached(WorkerId owner, int step) {
        steps.reached(owner, step);
    }

    /** An output step is put together: a later one may be decided. */
    public void stepAssembled(int step, SpawnerTurn turn) {
        steps.assembled(step);
        if (phase == Phase.STORED && !steps.isAssembling()) {
            decide(turn);
        }
    }

    /**
     * An output step could not be made durable: it is tried again.
     *
     * @return whether that has taken too long, so that the job cannot go on
     */
    public boolean stepNotKept(int step, String reason, SpawnerTurn turn) {
        return phase != Phase.OVER && steps.notKept(step, reason, turn);
    }

    /** Commits the step that the log names, if it names one; returns whether it does. */
    private boolean resumeSteps(SpawnerTurn turn) {
        resumedSteps = true;
        snapshots.skipLogged(steps.step(), turn.now());
        boolean resumed = steps.resume(turn);
        if (resumed) {
            phase = Phase.WRITING;
            tick(turn);
        }
        return resumed;
    }

    /** The step's result is decided: all workers may act on it, and the next step begins. */
    private void commit(SpawnerTurn turn) {
        steps.commit(turn);
        steps.committed().ifPresent(record -> intermediate.committed(record, turn));
        trigger = SnapshotTrigger.of(config);
        trigger.start(turn.now(), false);
        stallDetector = new StallDetector();
        phase = Phase.IDLE;
        if (deadline.hasPassed()) {
            open(turn);
        }
    }

    // ---- the result ------------------------------------------------------------------------------------------------

    /** The action names the verdict, every hash and every checksum: the leader logs it before it is done. */
    private void assemble(int step, KeptAnswer result, SpawnerTurn turn) {
        phase = Phase.DELIVERING;
        intermediate.abandon();
        residual = result.residual();
        deliveredSid = result.sid();
        deliveredIterations = result.iterations();
        delivery.begin(deliveredSid);
        turn.add(new SpawnerAction.AssembleResult(
                deliveredSid, residual, isCertified, step, deliveredIterations, result.parts()));
    }

    /** The best answer whose parts are stored: the log must name it. Empty where none is kept. */
    public Optional<KeptAnswer> bestAnswer() {
        return best.newest();
    }

    /** The log names the best answer: the parts of the one before may go. */
    public void bestAnswerLogged(SpawnerTurn turn) {
        if (best.setLogged()) {
            best.newest().ifPresent(answer -> {
                turn.emit(new JobEvent.AnswerKept(answer.sid(), answer.residual(), answer.iterations()));
                turn.add(new SpawnerAction.DeleteParts(answer.sid()));
            });
        }
    }

    /**
     * The result is complete in this spawner.
     *
     * @param copies whether another spawner must hold it too before it is delivered
     */
    public void assembled(long of, boolean copies, SpawnerTurn turn) {
        if (delivery.assembled(of, copies)) {
            deliver(turn);
        }
    }

    /** The snapshot whose complete result needs a copy in another spawner, if there is one. */
    public OptionalLong snapshotToCopy() {
        return delivery.snapshotToCopy();
    }

    /** The result is copied, or no spawner takes a copy. */
    public void copied(SpawnerTurn turn) {
        if (delivery.copied()) {
            deliver(turn);
        }
    }

    /** Whether the result is complete, so that the blocks are not needed any more. */
    public boolean hasResult() {
        return delivery.hasResult();
    }

    /** The snapshot whose complete result must be brought to the storage that the job names, if there is one. */
    public OptionalLong snapshotToPublish() {
        return delivery.snapshotToPublish();
    }

    /** The result is published, or the leader has given up. */
    public void published(SpawnerTurn turn) {
        if (delivery.isPublishing()) {
            deliver(turn);
        }
    }

    private void deliver(SpawnerTurn turn) {
        finish(
                isCertified
                        ? new JobOutcome.Certified(deliveredSid, residual)
                        : new JobOutcome.NotConverged(deliveredSid, residual, deliveredIterations),
                turn);
    }

    /**
     * Parts of the result are lost before it is complete.
     *
     * @return whether the verdict must be withdrawn: {@link #reopen} follows once the log says so
     */
    public boolean partsMissing(long of) {
        boolean lost = delivery.partsMissing(of);
        if (lost) {
            best.lost(of);
        }
        return lost;
    }

    /** The verdict is withdrawn: the next snapshot opens, as soon as all blocks iterate. */
    public void reopen(SpawnerTurn turn) {
        if (!delivery.isWithdrawing()) {
            return;
        }
        delivery.end();
        phase = Phase.IDLE;
        isCertified = false;
        boolean committing = isStarted && !resumedSteps && resumeSteps(turn);
        // Blocks may have rolled back since the change of leaders: the detector must see the convergence again.
        boolean waits = isInherited && trigger.waitsForDetector() && !deadline.hasPassed();
        if (isStarted && !committing && !waits) {
            converged(); // the vector was good enough
            open(turn);
        }
        isInherited = false;
    }

    private void finish(JobOutcome outcome, SpawnerTurn turn) {
        phase = Phase.OVER;
        delivery.end();
        intermediate.abandon();
        turn.add(new SpawnerAction.Finish(outcome));
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    /** Opens snapshots when it is time, repeats requests, keeps the bound after the deadline. */
    public void tick(SpawnerTurn turn) {
        if (phase == Phase.WRITING && steps.isWritten()) {
            commit(turn);
        }
        steps.tick(phase != Phase.OVER, snapshots.owners(), turn);
        trigger.tick(turn.now());
        if (phase == Phase.IDLE && trigger.isDue(turn.now())) {
            open(turn);
        }
        boolean isCertifying = isCertified && snapshots.newest().isStoring();
        if ((phase == Phase.IDLE || phase == Phase.OPEN) && !isCertifying) {
            Optional<KeptAnswer> instead = deadline.insteadOfWaiting(turn.now());
            if (instead.isPresent()) {
                isCertified = false;
                assemble(0, instead.get(), turn);
            }
        }
        if (deadline.isBoundOver(turn.now()) && delivery.isCopying()) {
            copied(turn); // what is complete counts, copied or not
        } else if (deadline.isBoundOver(turn.now()) && !delivery.isPublishing() && phase != Phase.OVER) {
            finish(JobOutcome.NotConverged.withoutResult(snapshots.newest().sid()), turn);
        }
        if (phase == Phase.IDLE) {
            turn.wakeAt(trigger.wakeUp());
        } else if (phase == Phase.OPEN) {
            snapshots.newest().tick(turn);
        }
        if (phase != Phase.OVER && !delivery.isPublishing()) {
            turn.wakeAt(deadline.wakeUp(turn.now()));
        }
    }

    /** Entries held. */
    public int entries() {
        return snapshots.newest().entries() + steps.entries() + best.entries();
    }
}
