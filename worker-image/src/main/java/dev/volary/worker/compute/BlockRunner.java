// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.protocol.message.ProgressMessage.Backup;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Block;
import dev.volary.solver.BoundaryFirst;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.StalledIterationException;
import dev.volary.solver.SteppedBlock;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs one block: halos in, an iteration, halos out. What the schemes do differently stands in the subclasses. The block
 * itself is touched by its compute thread only; other threads leave requests and read the published counters.
 */
public abstract sealed class BlockRunner implements ComputeTask permits AsynchronousRunner, SynchronousRunner {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private record BackUpRequest(int slot, boolean last) {}

    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    private record EvaluationRequest(double[] core, Halos halos, EvaluationListener listener) {}

    /** Receives a residual, on the compute thread. */
    @FunctionalInterface
    public interface EvaluationListener {
        /**
         * @param nanos processor time that the evaluation took
         */
        void evaluated(Residual residual, long nanos);
    }

    private enum State {
        WAITING,
        RUNNING,
        STOPPED
    }

    private final int id;
    private final Incarnation incarnation;
    private final Block block;
    private final Optional<SliceWorkers> sliceWorkers;
    private final List<OutgoingEdge> outgoingEdges;
    private final RunnerListener listener;
    private final double work;
    private final int coreSize;
    private final long leastNanos;
    private final double[] scratch;
    private final AtomicReference<@Nullable EvaluationRequest> evaluationRequest = new AtomicReference<>();
    /** For the next copy of the core: memory that is used for the first time costs more than the copy. */
    private final AtomicReference<double @Nullable []> spareCore;

    private volatile @Nullable CertifiedCore commitRequest;
    private volatile int step;
    /** Iterations completed when the step began. */
    private long iterationsBeforeStep;
    /** By how much a stretched iteration was too long, because the system wakes threads late; the next one is shorter. */
    private long overslept;

    private boolean opened;
    private boolean iterated;
    private volatile @Nullable BackUpRequest backUpRequest;
    private volatile Runnable wake = () -> {};

    private volatile State state = State.WAITING;
    private volatile long recordRequest;
    private long recordedSid;

    /** Whether the last turn found nothing to compute. */
    private volatile boolean idle = true;

    private int savedBytes; // that the block saved last

    /** Iteration of the newest copy that others keep of this incarnation; negative while there is none. */
    private final AtomicLong newestBackup = new AtomicLong(-1);

    private volatile long completed;
    private volatile double hint = Double.POSITIVE_INFINITY;
    private volatile long oldestArrival;
    private volatile long oldestTaken;

    BlockRunner(RunnerConfig config, RunnerListener listener) {
        this.id = config.part().id();
        this.incarnation = config.incarnation();
        this.block = config.block();
        this.sliceWorkers = config.sliceWorkers();
        this.outgoingEdges = config.outgoingEdges();
        this.listener = listener;
        this.work = config.part().work();
        this.coreSize = config.part().core().size();
        this.completed = config.completed();
        this.oldestTaken = config.completed();
        this.leastNanos = config.leastIteration().toNanos();
        this.spareCore = new AtomicReference<>(new double[coreSize]);
        this.scratch = new double[block instanceof HaloWriter ? 0 : coreSize];
        this.oldestArrival = System.nanoTime();
        this.step = block instanceof SteppedBlock stepped ? stepped.step() : 0;
    }

    /** The block's number. */
    public final int id() {
        return id;
    }

    /** The assignment this runner serves. */
    public final Incarnation incarnation() {
        return incarnation;
    }

    /** The step the block is in; 0 for a stationary problem. From any thread. */
    public final int step() {
        return step;
    }

    /**
     * Asks for {@link Block#residual} at the next iteration boundary; an earlier request that has not begun is dropped. From any
     * thread.
     */
    public final void evaluate(double[] core, Halos recorded, EvaluationListener evaluated) {
        evaluationRequest.set(new EvaluationRequest(core, recorded, evaluated));
        wake.run();
    }

    /** The next copy of the core takes this memory; the caller has read the copy for the last time. From any thread. */
    public final void recycle(double[] core) {
        spareCore.set(core);
    }

    private double[] copiedCore() {
        double[] spare = spareCore.getAndSet(null);
        double[] core = spare == null ? new double[coreSize] : spare;
        block.copyCore(core);
        return core;
    }

    /**
     * Asks for the commit of a step at the next iteration boundary. A block that was opened in an earlier step comes to the
     * same step as all others: its equations read what was committed last, and nothing older.
     */
    public final void commit(CertifiedCore certified) {
        commitRequest = certified;
        wake.run();
    }

    /**
     * Copies what {@code to} reads out of a copy of the core; from any thread.
     *
     * @param core values of the core
     * @param target as long as the edge
     */
    public final void gather(int to, double[] core, double[] target) {
        for (OutgoingEdge outgoing : outgoingEdges) {
            if (outgoing.edge().to() == to) {
                outgoing.gather(core, target);
                return;
            }
        }
        throw new IllegalArgumentException("block " + id + " sends nothing to block " + to);
    }

    /** Wakes the compute thread: another thread has left a request. */
    final void wakeForRequest() {
        wake.run();
    }

    /** Lets the block iterate from its next turn on. */
    public final void start() {
        if (state == State.WAITING) {
            oldestArrival = System.nanoTime();
            state = State.RUNNING;
            wake.run();
        }
    }

    /** Ends it within one iteration. */
    public final void stop() {
        state = State.STOPPED;
    }

    /** Asks for a copy of the core at the next iteration boundary. */
    public final void record(long sid) {
        recordRequest = sid;
        wake.run();
    }

    /**
     * Asks for a copy of the state at the next iteration boundary.
     *
     * @param last no iteration follows
     */
    public final void backUp(int slot, boolean last) {
        backUpRequest = new BackUpRequest(slot, last);
        wake.run();
    }

    /** Calls this whenever another thread has left a request. */
    final void onRequest(Runnable newWake) {
        wake = newWake;
    }

    /** Others keep a copy of what it was after so many iterations. */
    public final void backupStored(long iteration) {
        long ignored = newestBackup.accumulateAndGet(iteration, Math::max);
    }

    /**
     * How it is doing; from any thread.
     *
     * @param holders of its copies
     */
    public final BlockProgress progress(long now, List<WorkerId> holders) {
        long backup = newestBackup.get();
        long iterations = completed;
        return new BlockProgress(
                id,
                incarnation,
                iterations,
                iterations * work,
                hint,
                Math.max(0, now - oldestArrival),
                Math.max(0, iterations - oldestTaken),
                step,
                backup < 0 ? Optional.empty() : Optional.of(new Backup(backup, holders)));
    }

    /** Whether it has reason to stand still: it was not started, rests, or waits for halos; from any thread. */
    public final boolean isWaiting() {
        return idle;
    }

    /** Iterations since the values in use of incoming edge {@code k} were taken; from any thread. */
    public final long haloAge(int k) {
        return Math.max(0, completed - halos().takenAt(k));
    }

    /** Whether a snapshot is about to record the block, so that a backup would only delay the certificate. */
    boolean isAtRest() {
        return false;
    }

    /** Whether its values are worth publishing as soon as it is opened. */
    boolean publishesWhenOpened() {
        return true;
    }

    @Override
    public final Activity runOnce() {
        if (!opened) {
            opened = true;
            if (publishesWhenOpened()) {
                publish(true);
            }
        }
        CertifiedCore certified = commitRequest;
        if (certified != null) {
            commitRequest = null;
            commitNow(certified);
        }
        long sid = recordRequest;
        if (sid > recordedSid) {
            recordedSid = sid;
            listener.recorded(this, RecordedCore.of(sid, id, incarnation, completed, copiedCore()));
        }
        EvaluationRequest evaluation = evaluationRequest.getAndSet(null);
        if (evaluation != null) {
            long begun = CLOCK.getCurrentThreadCpuTime();
            Residual residual = block.residual(evaluation.core, evaluation.halos);
            evaluation.listener.evaluated(residual, CLOCK.getCurrentThreadCpuTime() - begun);
        }
        BackUpRequest request = backUpRequest;
        if (request != null && (request.last || !isAtRest())) {
            backUpRequest = null;
            if (request.last && state == State.RUNNING) {
                state = State.WAITING;
            }
            long begun = System.nanoTime();
            BlockState copy = state();
            listener.backedUp(this, request.slot, request.last, copy, System.nanoTime() - begun);
        }
        Activity activity =
                switch (state) {
                    case WAITING -> Activity.IDLE;
                    case STOPPED -> Activity.DONE;
                    case RUNNING -> advance();
                };
        if (activity == Activity.IDLE && !idle) {
            idle = true;
        }
        return activity;
    }

    /**
     * Continues from an earlier state of the block if it is of a later step, or of the same step and better. The iterations count on
     * from the larger number. Called on the compute thread.
     *
     * @param byResidual whether it is better if its residual with the halos in use is smaller, as for methods that remove errors of all
     *     wavelengths at once; else if it has more iterations: relaxation makes the residual small long before the error
     */
    final boolean adopt(BlockState backup, boolean byResidual) {
        if (backup.step() != step) {
            return backup.step() > step && adoptStep(backup);
        }
        LinkHalos halos = halos();
        boolean isBetter = byResidual ? hasSmallerResidual(backup.core(), halos) : backup.iteration() > completed;
        return isBetter && take(backup, halos);
    }

    private boolean hasSmallerResidual(double[] other, LinkHalos halos) {
        double[] own = copiedCore();
        boolean isSmaller =
                block.residual(other, halos).norm() < block.residual(own, halos).norm();
        recycle(own);
        return isSmaller;
    }

    /** The block missed the commit of the step before, which the backup contains. */
    private boolean adoptStep(BlockState backup) {
        LinkHalos halos = new LinkHalos(backup.halos(), completed);
        if (!take(backup, halos)) {
            return false;
        }
        begin(backup.step(), halos);
        listener.stepCommitted(this, step);
        return true;
    }

    private boolean take(BlockState backup, LinkHalos halos) {
        try {
            backup.restoreTo(block, halos);
        } catch (IOException e) {
            fail("block %d cannot read its backup: %s".formatted(id, e.getMessage()));
            return false;
        }
        hint = Double.POSITIVE_INFINITY;
        completed = Math.max(completed, backup.iteration());
        return true;
    }

    private void commitNow(CertifiedCore certified) {
        if (!(block instanceof SteppedBlock stepped) || stepped.step() > certified.step() || state == State.STOPPED) {
            return;
        }
        LinkHalos halos = new LinkHalos(certified.halos(), completed);
        try {
            while (stepped.step() <= certified.step()) {
                stepped.commit(certified.core(), halos);
            }
        } catch (RuntimeException broken) {
            fail("block %d failed to commit step %d: %s; this is a defect of the solver"
                    .formatted(id, certified.step(), broken));
            return;
        }
        hint = Double.POSITIVE_INFINITY;
        begin(stepped.step(), halos);
        publish(true);
        listener.stepCommitted(this, step);
    }

    private void begin(int newStep, LinkHalos halos) {
        countStepFromHere();
        step = newStep;
        stepBegun(halos);
    }

    final BlockState state() {
        double[] core = copiedCore();
        LinkHalos used = halos();
        List<double[]> halos = new ArrayList<>();
        for (int k = 0; k < used.size(); k++) {
            halos.add(used.values(k).clone());
        }
        return new BlockState(step, completed, core, halos, saved());
    }

    private byte[] saved() {
        SavedBytes saved = new SavedBytes(savedBytes);
        try {
            block.save(new DataOutputStream(saved));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory takes everything
        }
        savedBytes = saved.size();
        return saved.bytes();
    }

    /** If as many bytes come as before, they are not copied again. */
    private static final class SavedBytes extends ByteArrayOutputStream {
        SavedBytes(int size) {
            super(size);
        }

        byte[] bytes() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    /** A step begins, with these values of the neighbors until they send newer ones. */
    abstract void stepBegun(LinkHalos certified);

    /** What halos carry in the place of a coarse version: the phase of the verification tree. */
    int phase() {
        return 0;
    }

    /** The halos in use. */
    abstract LinkHalos halos();

    /** Takes halos and iterates, if that is worth it. */
    abstract Activity advance();

    /**
     * Runs one iteration that others see nothing of: it is neither published nor counted. False if the block is broken.
     */
    final boolean iterateSilently(LinkHalos halos) {
        idle = false;
        try {
            hint = block.iterate(halos);
        } catch (RuntimeException broken) {
            fail("block %d failed after iteration %d: %s; this is a defect of the solver"
                    .formatted(id, completed, broken));
            return false;
        }
        reportFirstIteration();
        return true;
    }

    private void reportFirstIteration() {
        if (!iterated) {
            iterated = true;
            listener.firstIterationDone(this);
        }
    }

    /** Counts on from a larger number of iterations in this step: other blocks have completed them, and this one missed them. */
    final void countInStepFrom(long iterations) {
        completed = Math.max(completed, iterationsBeforeStep + iterations);
    }

    /** The iterations of the step are counted from 0: those before were made in earlier steps, as far as is known. */
    final void countStepFromHere() {
        iterationsBeforeStep = completed;
    }

    /**
     * Runs one iteration on these halos and publishes; false if the block is broken.
     *
     * @param isAwaited others may wait for the values
     */
    final boolean iterate(LinkHalos halos, boolean isAwaited) {
        // A stretched iteration stands for a machine of its own, which no other's halos slow down.
        boolean urgent = isAwaited || leastNanos > 0;
        if (idle) {
            idle = false;
        }
        long start = leastNanos > 0 ? System.nanoTime() : 0;
        long next = completed + 1;
        double newHint;
        try {
            if (sliceWorkers.isPresent()) {
                newHint = sliceWorkers.get().iterate(halos);
                publish(next - iterationsBeforeStep, urgent);
            } else if (block instanceof BoundaryFirst early) {
                early.boundary(halos);
                publish(next - iterationsBeforeStep, urgent);
                newHint = early.interior(halos);
            } else {
                newHint = block.iterate(halos);
                publish(next - iterationsBeforeStep, urgent);
            }
        } catch (StalledIterationException stalled) {
            fail("block %d stalls in iteration %d: %s".formatted(id, next, stalled.getMessage()));
            return false;
        } catch (RuntimeException broken) {
            fail("block %d failed in iteration %d: %s; this is a defect of the solver".formatted(id, next, broken));
            return false;
        }
        if (!Double.isFinite(newHint)) {
            fail(
                    ("block %d computed %s in iteration %d: the iteration diverges; see the pre-flight check of `volary validate`, "
                                    + "or choose another method")
                            .formatted(id, newHint, next));
            return false;
        }
        hint = newHint;
        completed = next;
        reportFirstIteration();
        if (leastNanos > 0) {
            pace(start + leastNanos - overslept);
        }
        return true;
    }

    final void haloAges(LinkHalos halos) {
        oldestArrival = halos.oldestArrival(System.nanoTime());
        oldestTaken = halos.oldestTaken(completed);
    }

    final long completed() {
        return completed;
    }

    /** Iterations completed in this step. */
    final long iterationsInStep() {
        return completed - iterationsBeforeStep;
    }

    final double hint() {
        return hint;
    }

    final RunnerListener listener() {
        return listener;
    }

    final void publish(boolean urgent) {
        publish(iterationsInStep(), urgent);
    }

    /** Publishes the values after so many iterations of the step. */
    private void publish(long iterations, boolean urgent) {
        boolean copied = false;
        for (OutgoingEdge outgoing : outgoingEdges) {
            double[] target = outgoing.link().begin();
            if (block instanceof HaloWriter writer) {
                writer.writeHalo(outgoing.edge(), target);
            } else {
                if (!copied) {
                    block.copyCore(scratch);
                    copied = true;
                }
                outgoing.gather(scratch, target);
            }
            outgoing.link().publish(incarnation, step, iterations, phase(), urgent);
        }
    }

    private void fail(String reason) {
        stop();
        listener.failed(this, reason);
    }

    /** Stretches an iteration to its least duration, so that one machine can stand for several slow ones. */
    private void pace(long until) {
        long left = until - System.nanoTime();
        boolean sleeps = left > 0;
        for (; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
        }
        overslept = sleeps ? Math.min(-left, leastNanos / 2) : 0;
    }
}
