// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.BoundaryFirst;
import dev.volary.solver.GridFaces;
import dev.volary.solver.Halos;
import java.util.ArrayList;
import java.util.List;

/** For one thread: the last sweep of an iteration computes the boundary that neighbors read before the interior. */
class BoundaryFirstBlock extends GridBlock implements BoundaryFirst {
    private final SweepRegion[] boundaryRegions;
    private final SweepRegion[] interior;
    private boolean measuring;
    private double change;

    BoundaryFirstBlock(GhostGrid layout, Relaxation relaxation, GridFaces faces, int sweeps) {
        super(layout, relaxation, faces, sweeps);
        List<SweepRegion> regions = new ArrayList<>();
        int[] lo = {0, 0, 0};
        int[] hi = {layout.extent(0), layout.extent(1), layout.extent(2)};
        for (int direction = 0; direction < 3; direction++) {
            if (hasHalo(direction, false) && lo[direction] < hi[direction]) {
                regions.add(layer(layout, lo, hi, direction, lo[direction]));
                lo[direction]++;
            }
            if (hasHalo(direction, true) && lo[direction] < hi[direction]) {
                hi[direction]--;
                regions.add(layer(layout, lo, hi, direction, hi[direction]));
            }
        }
        boundaryRegions = regions.toArray(SweepRegion[]::new);
        boolean hollow = lo[0] == hi[0] || lo[1] == hi[1] || lo[2] == hi[2];
        interior = hollow
                ? new SweepRegion[0]
                : new SweepRegion[] {layout.patch(lo[0], hi[0], lo[1], hi[1], lo[2], hi[2])};
    }

    private static SweepRegion layer(GhostGrid layout, int[] lo, int[] hi, int direction, int at) {
        int[] from = lo.clone();
        int[] to = hi.clone();
        from[direction] = at;
        to[direction] = at + 1;
        return layout.patch(from[0], to[0], from[1], to[1], from[2], to[2]);
    }

    @Override
    public final void boundary(Halos newest) {
        beforeLastSweep(newest);
        measuring = measuresLastSweep();
        change = sweepAll(boundaryRegions, 0);
        publishNext();
    }

    @Override
    public final double interior(Halos newest) {
        change = sweepAll(interior, change);
        return finishIteration(measuring, change);
    }

    private double sweepAll(SweepRegion[] patches, double before) {
        double max = before;
        for (SweepRegion patch : patches) {
            max = Math.max(max, sweep(patch, measuring));
        }
        return max;
    }
}
