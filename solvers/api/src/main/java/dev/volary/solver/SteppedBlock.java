// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A block of a model with {@link TimeStepping}. In step s = 1, 2, … it iterates on the equations of that step, which read uˢ⁻¹,
 * the values committed last. They are the one part of its state that no iteration can find again, so they are saved.
 *
 * <p>A new block is in step 1: u⁰ is what the model starts from, and the initial guess too. Halos always belong to the
 * block's own step; values of an older step are never passed to it.
 */
public interface SteppedBlock extends Block {

    /** The step that {@link #iterate} and {@link #residual} are about; one more than there are steps after the last. */
    int step();

    /**
     * Ends the step: the certified vector becomes uˢ, and the guess that the next step starts from is made of it. Whatever
     * was iterated beyond it is forgotten, halos included. All blocks commit the same vector. Runs on the compute thread,
     * between two iterations and never beside {@link #residual}.
     *
     * @param certified values of this core in the vector that was certified for {@link #step()}
     * @param halos what the neighbors have in the same vector; neither array may be kept
     */
    void commit(double[] certified, Halos halos);

    /**
     * {@inheritDoc} It is the residual of the equations of {@link #step()}: apart from the arguments it depends on the values
     * committed last.
     */
    @Override
    Residual residual(double[] core, Halos recorded);

    /** Writes the step and the values committed last, with whatever else the next {@link #iterate} depends on. */
    @Override
    void save(DataOutput out) throws IOException;

    /** Goes back to the step that {@link #save} was called in, and to the values that were committed then. */
    @Override
    void load(DataInput in) throws IOException;
}
