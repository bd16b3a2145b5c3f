// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Evaluates the residual of a recorded vector on one block whose halos are boxes of any size round its core. It fills a grid of
 * its own, so it may run beside an iteration.
 *
 * <p>A large core is evaluated in slabs, one after another, in the memory of one: memory that is used for the first time costs
 * more than the evaluation, and that of a slab stays in the caches.
 */
public final class RecordedResidual {
    /** Values of a slab, about. */
    private static final int SLAB_VALUES = 1 << 19;

    private static final int LEAST_LAYERS = 4;

    /** How many points a block evaluates when it is opened, at most. */
    private static final int EARLY_POINTS = 1 << 17;

    /** A block that is opened evaluates no more than one point in this many. */
    private static final int EARLY_PART = 8;

    private final List<Slab> slabs = new ArrayList<>();
    private final double[] grid;

    /**
     * Layers of the core.
     *
     * @param fromCore the layers themselves, and those beside them that are of the core too
     * @param fromHalos the parts of the halos that lie beside the layers
     */
    private record Slab(GhostGrid layout, Relaxation relaxation, Copy fromCore, List<HaloCopy> fromHalos) {}

    private record HaloCopy(int halo, Copy copy) {}

    /** Rows to copy into the grid; {@code from} is the index of the first value in the source. */
    private record Copy(SweepRegion to, int from, int rowLength, int planeLength) {
        void run(double[] source, double[] grid) {
            for (int plane = 0; plane < to.planes(); plane++) {
                for (int row = 0; row < to.rows(); row++) {
                    int at = from + plane * planeLength + row * rowLength;
                    System.arraycopy(source, at, grid, to.row(plane, row), to.columns());
                }
            }
        }
    }

    private RecordedResidual(
            List<Box> layers, Box core, List<Edge> incoming, Function<GhostGrid, Relaxation> relaxation) {
        int length = 0;
        for (Box slab : layers) {
            GhostGrid layout = new GhostGrid(slab);
            length = Math.max(length, layout.length());
            slabs.add(slab(layout, core, incoming, relaxation.apply(layout)));
        }
        grid = new double[length];
        slabs.getFirst().relaxation().setBoundary(grid);
        compileEarly(Math.min(EARLY_POINTS, core.size() / EARLY_PART));
    }

    /**
     * Makes the JVM compile the evaluation while the block is opened. A short job certifies only once, and all of its blocks would wait
     * there for the compiler.
     */
    private void compileEarly(int points) {
        Slab slab = slabs.getFirst();
        SweepRegion whole = slab.layout().whole();
        int rows = points / whole.columns();
        for (int k = 0; k < rows; k++) {
            slab.relaxation().residualOfRow(grid, whole, 0, k % whole.rows());
        }
    }

    /**
     * In slabs.
     *
     * @param relaxation makes the problem's part for a grid that holds some layers of the core
     */
    public static RecordedResidual inSlabs(Box core, List<Edge> incoming, Function<GhostGrid, Relaxation> relaxation) {
        int layer = core.size() / core.extent(0);
        int thickness = Math.max(LEAST_LAYERS, SLAB_VALUES / layer);
        List<Box> layers = new ArrayList<>();
        for (int lo = core.lo(0); lo < core.hi(0); lo += thickness) {
            layers.add(layers(core, lo, Math.min(core.hi(0), lo + thickness)));
        }
        return new RecordedResidual(layers, core, incoming, relaxation);
    }

    /**
     * With a grid as large as the core.
     *
     * @param relaxation the problem's part for {@code new GhostGrid(core)}
     */
    public static RecordedResidual whole(Box core, List<Edge> incoming, Relaxation relaxation) {
        return new RecordedResidual(List.of(core), core, incoming, layout -> relaxation);
    }

    private static Box layers(Box core, int lo, int hi) {
        int[] from = new int[core.axes()];
        int[] to = new int[core.axes()];
        for (int a = 0; a < from.length; a++) {
            from[a] = a == 0 ? lo : core.lo(a);
            to[a] = a == 0 ? hi : core.hi(a);
        }
        return Box.of(from, to);
    }

    private static Slab slab(GhostGrid layout, Box core, List<Edge> incoming, Relaxation relaxation) {
        Box ghosts = grown(layout.core());
        List<HaloCopy> fromHalos = new ArrayList<>();
        for (int k = 0; k < incoming.size(); k++) {
            Box halo = GridBlock.box(incoming.get(k));
            Optional<Box> part = halo.intersect(ghosts);
            if (part.isPresent()) {
                fromHalos.add(new HaloCopy(k, copy(layout, halo, part.get())));
            }
        }
        Box ofCore = core.intersect(ghosts).orElseThrow();
        return new Slab(layout, relaxation, copy(layout, core, ofCore), fromHalos);
    }

    private static Box grown(Box core) {
        int[] lo = new int[core.axes()];
        int[] hi = new int[core.axes()];
        for (int a = 0; a < lo.length; a++) {
            lo[a] = Math.max(0, core.lo(a) - 1);
            hi[a] = core.hi(a) + 1;
        }
        return Box.of(lo, hi);
    }

    private static Copy copy(GhostGrid layout, Box source, Box part) {
        int last = source.axes() - 1;
        int rowLength = source.extent(last);
        int planeLength = rowLength * source.extent(last - 1);
        int from = part.lo(last) - source.lo(last) + (part.lo(last - 1) - source.lo(last - 1)) * rowLength;
        if (last == 2) {
            from += (part.lo(0) - source.lo(0)) * planeLength;
        }
        return new Copy(layout.patch(part), from, rowLength, planeLength);
    }

    /**
     * The residual on the core.
     *
     * @param core recorded values of the core
     * @param recorded the halos of the same vector
     */
    public synchronized Residual of(double[] core, Halos recorded) {
        Residual sum = Residual.ZERO;
        for (Slab slab : slabs) {
            if (slabs.size() > 1) { // the one before had values at the boundary of the domain
                Arrays.fill(grid, 0);
                slab.relaxation().setBoundary(grid);
            }
            slab.fromCore().run(core, grid);
            for (HaloCopy each : slab.fromHalos()) {
                each.copy().run(recorded.values(each.halo()), grid);
            }
            sum = sum.combine(slab.relaxation().residual(grid, slab.layout().whole()));
        }
        return sum;
    }
}
