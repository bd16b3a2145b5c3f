// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a problem with time steps does on one block's grid. Its only state are the step and the values committed last;
 * they change between iterations, never beside {@link #sweep} or {@link #residual}.
 */
public interface SteppedRelaxation extends Relaxation {

    /** As {@link dev.volary.solver.SteppedBlock#step}. */
    int step();

    /** The values committed last, laid out by the block's {@link GhostGrid}; their ghosts mean nothing. */
    double[] committed();

    /**
     * Makes these the committed values, and goes on to the next step.
     *
     * @param core in row-major order
     */
    void commit(double[] core);

    /** Writes step and committed values. */
    void save(DataOutput out) throws IOException;

    /** Reads what {@link #save} wrote. */
    void load(DataInput in) throws IOException;
}
