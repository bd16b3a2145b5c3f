// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/** A block that can write what a neighbor reads without copying its whole core. */
public interface HaloWriter extends Block {

    /**
     * Writes the current values of an outgoing edge.
     *
     * @param edge an edge whose {@link Edge#from() source} is this block
     * @param target at least {@link Edge#haloSize} long; values in the order of the region, then the extra ones
     */
    void writeHalo(Edge edge, double[] target);
}
