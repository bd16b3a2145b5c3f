// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.GridFaces;
import dev.volary.solver.Halos;
import dev.volary.solver.Sliced;

/**
 * For several threads: one sweep falls into bands of whole rows or planes. Whichever slice comes first reads the halos.
 */
class SlicedBlock extends GridBlock implements Sliced {
    private static final int MOST_SLICES = 16;

    private final SweepRegion[] bands;
    private final double[] changes;
    private boolean begun;
    private boolean measuring;

    SlicedBlock(GhostGrid layout, Relaxation relaxation, GridFaces faces) {
        super(layout, relaxation, faces, 1);
        boolean solid = layout.core().axes() == 3;
        int length = layout.extent(solid ? 0 : 1);
        int count = Math.min(MOST_SLICES, length);
        bands = new SweepRegion[count];
        for (int i = 0; i < count; i++) {
            int lo = (int) ((long) length * i / count);
            int hi = (int) ((long) length * (i + 1) / count);
            bands[i] = solid
                    ? layout.patch(lo, hi, 0, layout.extent(1), 0, layout.extent(2))
                    : layout.patch(0, 1, lo, hi, 0, layout.extent(2));
        }
        changes = new double[count];
    }

    @Override
    public final int slices() {
        return bands.length;
    }

    @Override
    public final void slice(int index, Halos newest) {
        boolean measure = begin(newest);
        changes[index] = sweep(bands[index], measure);
    }

    /** The others wait for the slice that comes first, since all of them read what it prepares. */
    private synchronized boolean begin(Halos newest) {
        if (!begun) {
            begun = true;
            beforeLastSweep(newest);
            measuring = measuresLastSweep();
        }
        return measuring;
    }

    @Override
    public final double finish(Halos newest) {
        begun = false;
        double max = 0;
        for (double change : changes) {
            max = Math.max(max, change);
        }
        return finishIteration(measuring, max);
    }
}
