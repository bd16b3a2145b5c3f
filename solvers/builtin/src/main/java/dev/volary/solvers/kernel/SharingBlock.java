package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
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

/**
 * A block that also sweeps the layers of its neighbours that it is sent, all but the outermost: restricted additive Schwarz
 * with overlap. What it makes of them is for itself; its neighbours send newer ones. With k shared layers a block that sweeps
 * often between two halos comes as far with one exchange as with about 2k + 1 without them; with a halo for each sweep both
 * compute the same. Worth it where a halo takes longer to come than sweeps over the layers, which is where blocks are small.
 *
 * <p>Points of a shared layer whose neighbours belong to a third block stay as they were sent.
 */
final class SharingBlock implements HaloWriter {
    private static final int SWEEPS_BETWEEN_HINTS = 8;

    private final Box core;
    private final int sweeps;
    private final GhostGrid layout;
    private final Relaxation relaxation;
    private final Patch own;
    private final Patch[] shared;
    private final Box[] halos;
    private final boolean[] read;
    private final GhostGrid ownLayout;
    private final Relaxation ownRelaxation;
    private final Recorded recorded = new Recorded();
    private double[] current;
    private double[] next;
    private double hint;
    private int sweepsSinceHint = SWEEPS_BETWEEN_HINTS;

    /**
     * @param incoming edges with a box of values beside the core each, all of the same thickness
     * @param relaxation makes the problem's part for a grid
     */
    SharingBlock(List<Edge> incoming, Box core, int sweeps, Function<GhostGrid, Relaxation> relaxation) {
        this.core = core;
        this.sweeps = sweeps;
        halos = incoming.stream().map(SharingBlock::box).toArray(Box[]::new);
        read = new boolean[halos.length];
        List<Box> layers = new ArrayList<>();
        Box all = core;
        for (Box halo : halos) {
            Optional<Box> part = sharedPart(halo);
            if (part.isPresent()) {
                all = hull(all, part.get());
                withoutThirds(part.get()).ifPresent(layers::add);
            }
        }
        layout = new GhostGrid(all);
        this.relaxation = relaxation.apply(layout);
        own = layout.patch(core);
        shared = layers.stream().map(layout::patch).toArray(Patch[]::new);
        ownLayout = new GhostGrid(core);
        ownRelaxation = relaxation.apply(ownLayout);
        current = layout.allocate();
        next = layout.allocate();
        this.relaxation.setBoundary(current);
        this.relaxation.setBoundary(next);
    }

    /** Whether a block's halos are thicker than a star stencil needs. */
    static boolean isShared(Decomposition decomposition, int id) {
        return decomposition.parts().get(id).core() instanceof Box core
                && decomposition.incoming(id).stream().anyMatch(edge -> {
                    Box halo = box(edge);
                    return halo.extent(axis(core, halo)) > 1;
                });
    }

    private static Box box(Edge edge) {
        if (edge.values() instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException("edge from " + edge.from() + " to " + edge.to() + " carries no box");
    }

    /** The axis on which a halo lies beside the core. */
    private static int axis(Box core, Box halo) {
        for (int a = 0; a < core.axes(); a++) {
            if (halo.hi(a) == core.lo(a) || halo.lo(a) == core.hi(a)) {
                return a;
            }
        }
        throw new IllegalArgumentException(halo + " is not beside " + core);
    }

    /** All layers of a halo but the one that is farthest from the core. */
    private Optional<Box> sharedPart(Box halo) {
        int axis = axis(core, halo);
        boolean below = halo.hi(axis) == core.lo(axis);
        return thinned(halo, axis, below);
    }

    /** Without the points at the ends beside which there is another block. */
    private Optional<Box> withoutThirds(Box layers) {
        Optional<Box> free = Optional.of(layers);
        int beside = axis(core, layers);
        for (Box halo : halos) {
            int axis = axis(core, halo);
            if (axis != beside) {
                boolean below = halo.hi(axis) == core.lo(axis);
                free = free.flatMap(box -> thinned(box, axis, below));
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
            boolean measure = sweepsSinceHint >= SWEEPS_BETWEEN_HINTS;
            double change = relaxation.sweep(current, next, own, measure);
            for (Patch layer : shared) {
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
        layout.write(current, halos[k], values);
        layout.write(next, halos[k], values);
        read[k] = true;
    }

    @Override
    public void writeHalo(Edge edge, double[] target) {
        layout.read(current, box(edge), target);
    }

    @Override
    public void copyCore(double[] target) {
        layout.read(current, core, target);
    }

    @Override
    public void setCore(double[] values, Halos belonging) {
        layout.write(current, core, values);
        for (int k = 0; k < halos.length; k++) {
            readHalo(k, belonging.values(k));
        }
        sweepsSinceHint = SWEEPS_BETWEEN_HINTS;
    }

    /** {@inheritDoc} Evaluated on arrays of its own, which are made the first time. */
    @Override
    public Residual residual(double[] values, Halos belonging) {
        synchronized (recorded) {
            return recorded.residual(values, belonging);
        }
    }

    /** Shared layers as they are now. */
    @Override
    public void save(DataOutput out) throws IOException {
        for (Box halo : halos) {
            double[] values = new double[halo.size()];
            layout.read(current, halo, values);
            for (double value : values) {
                out.writeDouble(value);
            }
        }
        out.writeDouble(hint);
        out.writeInt(sweepsSinceHint);
    }

    @Override
    public void load(DataInput in) throws IOException {
        for (int k = 0; k < halos.length; k++) {
            double[] values = new double[halos[k].size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = in.readDouble();
            }
            readHalo(k, values);
        }
        hint = in.readDouble();
        sweepsSinceHint = in.readInt();
    }

    /** Evaluates residuals of recorded vectors, on the core and the first layer of its halos. */
    private final class Recorded {
        private double[] whole = {};
        private double[] window = {};

        Residual residual(double[] values, Halos belonging) {
            if (whole.length == 0) {
                whole = layout.allocate();
                window = ownLayout.allocate();
                relaxation.setBoundary(whole);
            }
            layout.write(whole, core, values);
            for (int k = 0; k < halos.length; k++) {
                layout.write(whole, halos[k], belonging.values(k));
            }
            layout.copyWindow(whole, ownLayout, window);
            return ownRelaxation.residual(window);
        }
    }
}
