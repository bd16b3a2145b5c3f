// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.convergence.LocalConvergence;
import dev.volary.protocol.convergence.NearConvergence;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.solver.Block;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.SteppedBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One block as a daemon keeps it: its state, its halo slots and its record. */
final class SimulatedBlock {

    /** Recorded values of a source. */
    static final class RecordedHalo {
        private final RecordedBlock source;
        private final double[] values;

        RecordedHalo(RecordedBlock source, double[] values) {
            this.source = source;
            this.values = values;
        }

        RecordedBlock source() {
            return source;
        }

        double[] values() {
            return values;
        }
    }

    final int id;
    final Incarnation incarnation;
    final Block block;
    final List<Edge> incoming;
    final int size;
    final double[][] newest;
    final HaloOrder[] orders;
    final boolean[] arrived;
    /** Halos of a later step, until this block's commit. */
    final @Nullable Halo[] ahead;

    final LocalConvergence period;
    /** Phases that the halos in use were sent in; −1 for one that was counted. */
    final int[] sentIn;

    /** Of a block that works in rounds, in the asynchronous scheme. */
    Optional<SimulatedRounds> rounds = Optional.empty();

    LockStepHalos lockStep;
    final double[][][] slots;
    final double[] @Nullable [] kept = new double[2][];
    final TreeMap<Integer, RecordedHalo> recordedHalos = new TreeMap<>();
    boolean iterating;
    Optional<DaemonAction.BackUp> backUp = Optional.empty();
    /** What was handed over last, whether a holder has it or not. */
    Optional<SimulatedBackups.Backup> lastBackup = Optional.empty();

    boolean computing;
    /** The checkpoint that is wanted next. */
    Optional<DaemonAction.CheckpointBlock> checkpoint = Optional.empty();
    /** The iteration that the leader asks for; negative for none. */
    long asked = -1;
    /** The newest test that this block may go beyond. */
    long released = -1;

    /** Completed in this step; in lock-step from the start on, whatever it was restored from. */
    long iteration;
    /** Completed in earlier steps, and before the backup it goes on from. */
    long earlier;
    /** The commit to take at the next boundary. */
    Optional<Runnable> commit = Optional.empty();

    /** Whether it started without its backup, and has not been offered it since. */
    boolean lacksBackup;

    /** The backup to continue from at the next boundary, if it is better. */
    Optional<Runnable> lateBackup = Optional.empty();

    double hint = Double.POSITIVE_INFINITY;
    boolean isFirstIterationReported;
    final NearConvergence near = new NearConvergence();
    long wanted;
    long recordedSid;
    double @Nullable [] record;

    @Nullable RecordedBlock recorded;

    SimulatedBlock(
            int id,
            Incarnation incarnation,
            Block block,
            List<Edge> incoming,
            int size,
            LockStepHalos lockStep,
            double hintBound) {
        this.period = new LocalConvergence(incoming.size(), hintBound);
        this.sentIn = new int[incoming.size()];
        Arrays.fill(sentIn, -1);
        this.id = id;
        this.incarnation = incarnation;
        this.block = block;
        this.incoming = incoming;
        this.size = size;
        this.lockStep = lockStep;
        ahead = new @Nullable Halo[incoming.size()];
        newest = new double[incoming.size()][];
        slots = new double[incoming.size()][2][];
        orders = new HaloOrder[incoming.size()];
        arrived = new boolean[incoming.size()];
        for (int k = 0; k < incoming.size(); k++) {
            newest[k] = new double[incoming.get(k).haloSize()];
            orders[k] = new HaloOrder();
        }
        keep();
    }

    /** Index of the edge from {@code source}; −1 if there is none. */
    int edgeFrom(int source) {
        for (int k = 0; k < incoming.size(); k++) {
            if (incoming.get(k).from() == source) {
                return k;
            }
        }
        return -1;
    }

    /** The time step it is in; 0 if it knows none. */
    int step() {
        return SimulatedProblem.step(block);
    }

    /** Iterations completed in all steps. */
    long completed() {
        return earlier + iteration;
    }

    /** What the block saves beside its core. */
    byte[] saved() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            block.save(new DataOutputStream(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * Goes on from a backup.
     *
     * @param countsOn iterations are those that all blocks count
     */
    void restore(SimulatedBackups.Backup from, boolean countsOn) {
        System.arraycopy(from.halos(), 0, newest, 0, newest.length);
        setState(from);
        if (countsOn) {
            iteration = from.key().iteration();
            kept[LockStepHalos.slot(iteration - 1)] = null; // the reader that requests it has not rolled back yet
        } else {
            earlier = from.key().iteration();
        }
        keep();
    }

    private void setState(SimulatedBackups.Backup from) {
        block.setCore(from.core(), halos(newest));
        try {
            if (from.saved().length > 0) { // a checkpoint is a vector and nothing else
                block.load(new DataInputStream(new ByteArrayInputStream(from.saved())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Continues from a backup if it is of a later step, or of the same step and better: in rounds, if its residual with the newest halos
     * is smaller, else if it has more iterations; returns whether it does.
     */
    boolean adopt(SimulatedBackups.Backup from) {
        if (from.key().step() != step()) {
            return from.key().step() > step() && adoptStep(from);
        }
        boolean isBetter = rounds.isPresent()
                ? block.residual(from.core(), halos(newest)).norm()
                        < block.residual(core(), halos(newest)).norm()
                : from.key().iteration() > earlier + iteration;
        if (!isBetter) {
            return false;
        }
        setState(from);
        if (rounds.isPresent() && step() == 0) {
            iteration = Math.max(iteration, from.key().iteration());
        } else {
            earlier = Math.max(earlier, from.key().iteration());
        }
        keep();
        return true;
    }

    private boolean adoptStep(SimulatedBackups.Backup from) {
        System.arraycopy(from.halos(), 0, newest, 0, newest.length);
        setState(from);
        earlier = Math.max(earlier + iteration, from.key().iteration());
        beginStep();
        return true;
    }

    /** Takes the commit of a step, or of one that it was opened behind. */
    void commit(int step, double[] values, double[][] certified, LockStepHalos next) {
        SteppedBlock stepped = (SteppedBlock) block;
        while (stepped.step() <= step) {
            stepped.commit(values, halos(certified));
        }
        earlier += iteration;
        lockStep = next;
        System.arraycopy(certified, 0, newest, 0, newest.length);
        beginStep();
    }

    private void beginStep() {
        iteration = 0;
        hint = Double.POSITIVE_INFINITY;
        near.beginStep();
        Arrays.fill(sentIn, -1);
        keep();
    }

    double[] core() {
        double[] values = new double[size];
        block.copyCore(values);
        return values;
    }

    /** Keeps the core of this iteration; the one before the previous is overwritten. */
    void keep() {
        kept[LockStepHalos.slot(iteration)] = core();
    }

    /** Halos for an iteration, as they are in {@code values} now. In rounds those that never came are not fresh. */
    Halos forIteration(double[][] values) {
        return halos(values, k -> rounds.isEmpty() || rounds.get().isUsed(k));
    }

    /** Halos as they are in {@code values} now. */
    static Halos halos(double[][] values) {
        return halos(values, k -> true);
    }

    private static Halos halos(double[][] values, IntPredicate isFresh) {
        return new Halos() {
            @Override
            public int size() {
                return values.length;
            }

            @Override
            public double[] values(int k) {
                return values[k];
            }

            @Override
            public boolean fresh(int k) {
                return isFresh.test(k);
            }
        };
    }

    /** 64-bit content hash of some values. */
    static long hash(double[] values) {
        long hash = values.length;
        for (double value : values) {
            hash = (hash ^ Double.doubleToRawLongBits(value)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }
}
