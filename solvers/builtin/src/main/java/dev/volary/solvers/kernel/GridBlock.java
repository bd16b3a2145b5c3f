// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import dev.volary.solver.Edge;
import dev.volary.solver.GridFaces;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A box of a grid and its halos. Sweeps go from one array to the other and back; the core is the whole state, so nothing is
 * saved beyond it, except for what a {@link SteppedRelaxation} has committed.
 *
 * <p>The hint is the residual on the newest halos, of the state before an iteration. It is evaluated in the first sweep of an
 * iteration, and only if eight sweeps have passed since the last time; other iterations repeat it. So NaN or an overflow is seen
 * here up to eight sweeps late; snapshots, which evaluate every point, never miss it.
 */
abstract class GridBlock implements HaloWriter {
    static final int SWEEPS_BETWEEN_HINTS = 8;

    private final GhostGrid layout;
    private final Relaxation relaxation;
    private final int sweeps;
    private final int[] lowHalo = new int[3];
    private final int[] highHalo = new int[3];
    private final Object residualLock = new Object();
    private double @Nullable [] recorded;
    private double[] current;
    private double[] next;
    private double[] published;
    private double hint;
    private int sweepsSinceHint = SWEEPS_BETWEEN_HINTS;

    GridBlock(GhostGrid layout, Relaxation relaxation, GridFaces faces, int sweeps) {
        this.layout = layout;
        this.relaxation = relaxation;
        this.sweeps = sweeps;
        Arrays.fill(lowHalo, -1);
        Arrays.fill(highHalo, -1);
        for (int axis = 0; axis < layout.core().axes(); axis++) {
            lowHalo[layout.direction(axis)] = number(faces.low(axis));
            highHalo[layout.direction(axis)] = number(faces.high(axis));
        }
        current = layout.allocate();
        next = layout.allocate();
        relaxation.setBoundary(current);
        relaxation.setBoundary(next);
        published = current;
    }

    private static int number(OptionalInt halo) {
        return halo.orElse(-1);
    }

    @Override
    public double reach() {
        return sweeps;
    }

    /** Reads the halos and does all sweeps of an iteration but the last. */
    final void beforeLastSweep(Halos newest) {
        readHalos(newest, current);
        if (sweeps == 1) {
            return;
        }
        readHalos(newest, next);
        boolean measure = hintDue();
        double change = relaxation.sweep(current, next, layout.whole(), measure);
        turn();
        if (measure) {
            measured(change);
        }
        for (int s = 1; s < sweeps - 1; s++) {
            relaxation.sweep(current, next, layout.whole(), false);
            turn();
        }
    }

    /**
     * Does a whole iteration region by region: each sweep is one region behind the sweep before it, so that what one sweep writes
     * the next one finds in a cache.
     *
     * @param regions the whole block, in the order of memory; points of a region depend on no regions but itself and those
     *     beside it
     */
    final double sweepTogether(Halos newest, SweepRegion[] regions) {
        readHalos(newest, current);
        readHalos(newest, next);
        boolean measure = hintDue();
        double change = 0;
        for (int front = 0; front < regions.length + sweeps - 1; front++) {
            for (int s = Math.max(0, front - regions.length + 1); s <= Math.min(front, sweeps - 1); s++) {
                boolean isEven = s % 2 == 0;
                double largest = relaxation.sweep(
                        isEven ? current : next, isEven ? next : current, regions[front - s], measure && s == 0);
                change = Math.max(change, largest);
            }
        }
        if (sweeps % 2 == 0) {
            turn(); // the newest values are where the end of an iteration looks for them
        }
        return finishIteration(measure, change);
    }

    /** Whether the last sweep is also the first and must be measured. */
    final boolean measuresLastSweep() {
        return sweeps == 1 && hintDue();
    }

    /** A part of the last sweep. */
    final double sweep(SweepRegion patch, boolean measure) {
        return relaxation.sweep(current, next, patch, measure);
    }

    /** From now on the values of the last sweep are published, as far as it has come. */
    final void publishNext() {
        published = next;
    }

    /** Ends the iteration; {@code change} counts if a sweep was measured just now. */
    final double finishIteration(boolean measured, double change) {
        if (measured) {
            measured(change);
        }
        turn();
        published = current;
        sweepsSinceHint += sweeps;
        return hint;
    }

    private boolean hintDue() {
        return sweepsSinceHint >= SWEEPS_BETWEEN_HINTS;
    }

    private void measured(double change) {
        hint = relaxation.hint(change);
        sweepsSinceHint = 0;
    }

    private void turn() {
        double[] newest = next;
        next = current;
        current = newest;
    }

    private void readHalos(Halos halos, double[] grid) {
        for (int direction = 0; direction < 3; direction++) {
            if (lowHalo[direction] >= 0) {
                layout.setGhosts(grid, direction, false, halos.values(lowHalo[direction]));
            }
            if (highHalo[direction] >= 0) {
                layout.setGhosts(grid, direction, true, halos.values(highHalo[direction]));
            }
        }
    }

    final boolean hasHalo(int direction, boolean high) {
        return (high ? highHalo : lowHalo)[direction] >= 0;
    }

    @Override
    public final void writeHalo(Edge edge, double[] target) {
        layout.read(published, box(edge), target);
    }

    /** What an edge between blocks of a grid carries. */
    static Box box(Edge edge) {
        if (edge.values() instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException("edge from " + edge.from() + " to " + edge.to() + " carries no box");
    }

    @Override
    public final void copyCore(double[] target) {
        layout.copyCore(current, target);
    }

    @Override
    public final void setCore(double[] core, Halos halos) {
        layout.setCore(current, core);
        sweepsSinceHint = SWEEPS_BETWEEN_HINTS;
    }

    /** Starts from the values that a relaxation has committed. */
    final void startFrom(SteppedRelaxation stepped) {
        double[] core = new double[layout.core().size()];
        layout.copyCore(stepped.committed(), core);
        layout.setCore(current, core);
        sweepsSinceHint = SWEEPS_BETWEEN_HINTS;
    }

    /** As {@link dev.volary.solver.SteppedBlock#commit}; the certified values are also the guess for the next step. */
    final void commit(SteppedRelaxation stepped, double[] certified, Halos halos) {
        synchronized (residualLock) {
            stepped.commit(certified);
        }
        setCore(certified, halos);
    }

    final void load(SteppedRelaxation stepped, DataInput in) throws IOException {
        synchronized (residualLock) {
            stepped.load(in);
        }
    }

    /** {@inheritDoc} Evaluated on an array of its own, which is made the first time. */
    @Override
    public final Residual residual(double[] core, Halos halos) {
        synchronized (residualLock) {
            double[] grid = recorded;
            if (grid == null) {
                grid = layout.allocate();
                relaxation.setBoundary(grid);
                recorded = grid;
            }
            layout.setCore(grid, core);
            readHalos(halos, grid);
            return relaxation.residual(grid, layout.whole());
        }
    }
}
