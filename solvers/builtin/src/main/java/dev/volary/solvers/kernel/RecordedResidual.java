// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Evaluates the residual of a recorded vector on one block whose halos are boxes of any size round its core. Uses a grid of
 * its own, so it may run beside an iteration.
 */
public final class RecordedResidual {
    private final GhostGrid layout;
    private final Relaxation relaxation;
    /** The parts of the halos that lie beside the core. */
    private final List<Copy> copies = new ArrayList<>();

    private final double[] grid;

    /** Rows to copy from a halo into the ghosts, {@code from} being the index of the first value in the halo. */
    private record Copy(int halo, SweepRegion to, int from, int rowLength, int planeLength) {}

    /**
     * @param relaxation makes the problem's part for a grid that holds the core
     */
    public RecordedResidual(Box core, List<Edge> incoming, Function<GhostGrid, Relaxation> relaxation) {
        layout = new GhostGrid(core);
        this.relaxation = relaxation.apply(layout);
        grid = layout.allocate();
        this.relaxation.setBoundary(grid);
        Box ghosts = grown(core);
        for (int k = 0; k < incoming.size(); k++) {
            Box halo = GridBlock.box(incoming.get(k));
            Optional<Box> part = halo.intersect(ghosts);
            if (part.isPresent()) {
                copies.add(copy(k, halo, part.get()));
            }
        }
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

    private Copy copy(int k, Box halo, Box part) {
        int last = halo.axes() - 1;
        int rowLength = halo.extent(last);
        int planeLength = rowLength * halo.extent(last - 1);
        int from = part.lo(last) - halo.lo(last) + (part.lo(last - 1) - halo.lo(last - 1)) * rowLength;
        if (last == 2) {
            from += (part.lo(0) - halo.lo(0)) * planeLength;
        }
        return new Copy(k, layout.patch(part), from, rowLength, planeLength);
    }

    /**
     * The residual on the core.
     *
     * @param core recorded values of the core
     * @param recorded the halos of the same vector
     */
    public synchronized Residual of(double[] core, Halos recorded) {
        layout.setCore(grid, core);
        for (Copy copy : copies) {
            SweepRegion to = copy.to();
            double[] halo = recorded.values(copy.halo());
            for (int plane = 0; plane < to.planes(); plane++) {
                for (int row = 0; row < to.rows(); row++) {
                    int from = copy.from() + plane * copy.planeLength() + row * copy.rowLength();
                    System.arraycopy(halo, from, grid, to.row(plane, row), to.columns());
                }
            }
        }
        return relaxation.residual(grid, layout.whole());
    }
}
