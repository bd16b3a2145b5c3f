// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.GridFaces;
import dev.volary.solver.Halos;
import dev.volary.solver.SteppedBlock;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A {@link SlicedBlock} of a problem with time steps. */
final class SteppedSlicedBlock extends SlicedBlock implements SteppedBlock {
    private final SteppedRelaxation relaxation;

    SteppedSlicedBlock(GhostGrid layout, SteppedRelaxation relaxation, GridFaces faces) {
        super(layout, relaxation, faces);
        this.relaxation = relaxation;
        startFrom(relaxation);
    }

    @Override
    public int step() {
        return relaxation.step();
    }

    @Override
    public void commit(double[] certified, Halos halos) {
        commit(relaxation, certified, halos);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        relaxation.save(out);
    }

    @Override
    public void load(DataInput in) throws IOException {
        load(relaxation, in);
    }
}
