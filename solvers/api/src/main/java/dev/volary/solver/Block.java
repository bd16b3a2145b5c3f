// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One piece of the problem's vector and its local solve. Confined to one compute thread at a time, except for
 * {@link #residual}, which may run beside {@link #iterate}.
 *
 * <p>Core values are ordered as the block's {@link Subdomain#core() region} orders them.
 */
public interface Block {

    /**
     * Improves the core once, reading the newest halos: a sweep, or a local solve. Must not allocate once warm.
     *
     * @param newest valid only during this call
     * @return a cheap local hint of the residual's {@linkplain Model#residualNorm() norm}, in the units of
     *     {@link Model#scale()}, for the state before or after this step. It only decides when a snapshot is worth trying; it never says "converged". NaN or infinity
     *     ends the job with an error that names this block.
     * @throws StalledIterationException if iterations gain nothing; ends the job with its message
     */
    double iterate(Halos newest);

    /** Copies the core's values into the first elements of {@code target}. */
    void copyCore(double[] target);

    /**
     * Replaces the state by {@code core}, as after a restore or at the end of a step.
     *
     * @param core values of the core, in the region's order
     * @param halos the halos that belong to them
     */
    void setCore(double[] core, Halos halos);

    /**
     * The residual of the recorded vector on this block's core. Pure: it depends on the arguments and the immutable data of
     * the problem only, and may run on another thread while {@link #iterate} goes on.
     *
     * @param core recorded values of this core
     * @param recorded the recorded values of exactly the same vector, from each neighbor
     */
    Residual residual(double[] core, Halos recorded);

    /**
     * How many layers of unknowns one {@link #iterate} carries a change of a halo inwards: 1 for a point sweep, k for k sweeps
     * in one iteration, infinity for an exact local solve. The runtime weighs by it how often halos are worth sending.
     */
    default double reach() {
        return 1;
    }

    /** Writes state beyond the core's values, if there is any that the next {@link #iterate} depends on. */
    default void save(DataOutput out) throws IOException {}

    /** Reads what {@link #save} wrote; called after {@link #setCore}. */
    default void load(DataInput in) throws IOException {}
}
