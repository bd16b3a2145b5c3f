// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridFaces;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A block that also sweeps the layers of its neighbors that it is sent, all but the outermost: restricted additive Schwarz
 * with overlap. What it makes of them is for itself; its neighbors send newer ones. With k shared layers a block that sweeps
 * often between two halos comes as far with one exchange as with about 2k + 1 without them; with a halo for each sweep both
 * compute the same. Worth it where a halo takes longer to come than sweeps over the layers, which is where blocks are small.
 *
 * <p>Points of a shared layer whose neighbors belong to a third block stay as they were sent.
 */
final class SchwarzBlock implements HaloWriter {
    private final int sweeps;
    private final GhostGrid layout;
    private final Relaxation relaxation;
    private final SweepRegion own;
    private final SweepRegion[] shared;
    private final SweepRegion[] halos;
    private final boolean[] read;
    private final Object residualLock = new Object();
    private double @Nullable [] recorded;
    private double[] current;
    private double[] next;
    private double hint;
    private int sweepsSinceHint = GridBlock.SWEEPS_BETWEEN_HINTS;

    /**
     * @param incoming edges with a box of values beside the core each, all of the same thickness
     * @param relaxation makes the problem's part for a grid
     */
    SchwarzBlock(List<Edge> incoming, Box core, int sweeps, Function<GhostGrid, Relaxation> relaxation) {
        this.sweeps = sweeps;
        List<Box> boxes = incoming.stream().map(GridBlock::box).toList();
        List<Box> layers = new ArrayList<>();
        Box all = core;
        for (Box halo : boxes) {
            Optional<Box> part = sharedPart(core, halo);
            if (part.isPresent()) {
                all = hull(all, part.get());
                withoutThirds(core, part.get(), boxes).ifPresent(layers::add);
            }
        }
        layout = new GhostGrid(all);
        this.relaxation = relaxation.apply(layout);
        own = layout.patch(core);
        shared = layers.stream().map(layout::patch).toArray(SweepRegion[]::new);
        halos = boxes.stream().map(layout::patch).toArray(SweepRegion[]::new);
        read = new boolean[halos.length];
        current = layout.allocate();
        next = layout.allocate();
        this.relaxation.setBoundary(current);
        this.relaxation.setBoundary(next);
    }

    /** Whether a block's halos are thicker than a star stencil needs. */
    static boolean isShared(Decomposition decomposition, int id) {
        return decomposition.parts().get(id).core() instanceof Box core
                && decomposition.incoming(id).stream().anyMatch(edge -> {
                    Box halo = GridBlock.box(edge);
                    return halo.extent(GridFaces.axisBeside(core, halo)) > 1;
                });
    }

    /** All layers of a halo but the one that is farthest from the core. */
    private static Optional<Box> sharedPart(Box core, Box halo) {
        int axis = GridFaces.axisBeside(core, halo);
        return thinned(halo, axis, halo.hi(axis) == core.lo(axis));
    }

    /** Without the points at the ends beside which there is another block. */
    private static Optional<Box> withoutThirds(Box core, Box layers, List<Box> halos) {
        Optional<Box> free = Optional.of(layers);
        int beside = GridFaces.axisBeside(core, layers);
        for (Box halo : halos) {
            int axis = GridFaces.axisBeside(core, halo);
            if (axis != beside) {
                free = free.flatMap(box -> thinned(box, axis, halo.hi(axis) == core.lo(axis)));
            }
        }
        return free;
    }

    /** Without the first or the last points on an axis; empty if nothing is left. */
    private static Optional<Box> thinned(Box box, int axis, boolean first) {
        if (box.extent(axis) == 1) {
            return Optional.empty();
        }
        int[] lo = new int[box.axes()];
        int[] hi = new int[box.axes()];
        for (int a = 0; a < lo.length; a++) {
            lo[a] = box.lo(a) + (a == axis && first ? 1 : 0);
            hi[a] = box.hi(a) - (a == axis && !first ? 1 : 0);
        }
        return Optional.of(Box.of(lo, hi));
    }

    private static Box hull(Box one, Box other) {
        int[] lo = new int[one.axes()];
        int[] hi = new int[one.axes()];
        for (int a = 0; a < lo.length; a++) {
            lo[a] = Math.min(one.lo(a), other.lo(a));
            hi[a] = Math.max(one.hi(a), other.hi(a));
        }
        return Box.of(lo, hi);
    }

    @Override
    public double reach() {
        return sweeps;
    }

    @Override
    public double iterate(Halos newest) {
        for (int k = 0; k < halos.length; k++) {
            if (newest.fresh(k) || !read[k]) {
                readHalo(k, newest.values(k));
            }
        }
        for (int s = 0; s < sweeps; s++) {
            boolean measure = sweepsSinceHint >= GridBlock.SWEEPS_BETWEEN_HINTS;
            double change = relaxation.sweep(current, next, own, measure);
            for (SweepRegion layer : shared) {
                relaxation.sweep(current, next, layer, false);
            }
            if (measure) {
                hint = relaxation.hint(change);
                sweepsSinceHint = 0;
            }
            sweepsSinceHint++;
            double[] newer = next;
            next = current;
            current = newer;
        }
        return hint;
    }

    private void readHalo(int k, double[] values) {
        GhostGrid.copyIn(current, halos[k], values);
        GhostGrid.copyIn(next, halos[k], values);
        read[k] = true;
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        layout.read(current, GridBlock.box(edge), target);
    }

    @Override
    public void copyCore(double[] target) {
        GhostGrid.copyOut(current, own, target);
    }

    @Override
    public void setCore(double[] values, Halos belonging) {
        GhostGrid.copyIn(current, own, values);
        for (int k = 0; k < halos.length; k++) {
            readHalo(k, belonging.values(k));
        }
        sweepsSinceHint = GridBlock.SWEEPS_BETWEEN_HINTS;
    }

    /** {@inheritDoc} Evaluated on an array of its own, which is made the first time. */
    @Override
    public Residual residual(double[] values, Halos belonging) {
        synchronized (residualLock) {
            double[] grid = recorded;
            if (grid == null) {
                grid = layout.allocate();
                relaxation.setBoundary(grid);
                recorded = grid;
            }
            GhostGrid.copyIn(grid, own, values);
            for (int k = 0; k < halos.length; k++) {
                GhostGrid.copyIn(grid, halos[k], belonging.values(k));
            }
            return relaxation.residual(grid, own);
        }
    }

    /** Shared layers as they are now. */
    @Override
    public void save(DataOutput out) throws IOException {
        for (SweepRegion halo : halos) {
            double[] values = new double[halo.size()];
            GhostGrid.copyOut(current, halo, values);
            SavedArrays.write(out, values);
        }
        out.writeDouble(hint);
        out.writeInt(sweepsSinceHint);
    }

    @Override
    public void load(DataInput in) throws IOException {
        for (int k = 0; k < halos.length; k++) {
            double[] values = new double[halos[k].size()];
            SavedArrays.read(in, values);
            readHalo(k, values);
        }
        hint = in.readDouble();
        sweepsSinceHint = in.readInt();
    }
}
