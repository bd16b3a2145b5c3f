// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/** A block that can write what a neighbor reads without copying its whole core. */
public interface HaloWriter extends Block {

    /**
     * Writes the current values of an outgoing edge.
     *
     * @param edge an edge whose {@link Edge#from() source} is this block
     * @param target at least {@code edge.values().size()} long; values in the order of the region
     */
    void writeHalo(Edge edge, double[] target);
}
