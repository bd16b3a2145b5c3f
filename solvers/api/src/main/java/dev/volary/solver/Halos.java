// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The halos of one block: one entry for each incoming edge, in the order of {@link Decomposition#incoming(int)}.
 *
 * <p>Arrays are read-only for the block and may be reused by the runtime after the call they were passed to.
 */
public interface Halos {

    /** Number of incoming edges. */
    int size();

    /**
     * Values of incoming edge {@code k}, in the order of its {@link Edge#values() region}. More may follow: the edge's
     * {@link Edge#extra} ones in an iteration, unused ones in a recorded halo.
     */
    double[] values(int k);

    /** Whether {@code values(k)} is newer than at this block's previous iteration. */
    boolean fresh(int k);
}
