// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The coarse problem of a {@link CoarseModel}. It owns no unknowns of the result. Confined to one compute thread at a time.
 *
 * <p>Its whole state can be found again from the problem and the newest loads, so none is saved: a replacement takes the
 * loads and goes on with {@link #round}.
 */
public interface CoarseBlock {

    /**
     * Solves the coarse problem from the problem's data alone, before any block has iterated. The maps written afterwards
     * are the initial guess of the blocks. A replacement for a lost coarse block does not call it.
     */
    void start();

    /**
     * Begins the next step of a model that marches in time: the coarse solution stands for the committed vector, and the loads of
     * the last step, which no longer hold, are replaced by an estimate.
     *
     * @throws UnsupportedOperationException if the model does not march in time
     */
    default void nextStep() {
        throw new UnsupportedOperationException("the model does not march in time");
    }

    /**
     * Replaces the load of a block; the array is not kept.
     *
     * @param block the block that sent it
     * @param values as many as {@link CoarseSizes#load} says
     */
    void load(int block, double[] values);

    /** Improves the coarse solution once for the newest loads. Must not allocate once warm. */
    void round();

    /**
     * Writes the part of the coarse solution that a block needs.
     *
     * @param target at least as long as {@link CoarseSizes#map} says
     */
    void writeMap(int block, double[] target);
}
