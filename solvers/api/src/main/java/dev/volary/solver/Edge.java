// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * Values that one block reads from another; there is at most one edge for an ordered pair of blocks.
 *
 * @param from the block that owns the values
 * @param to the block that reads them
 * @param values the unknowns that travel, all within the core of {@code from}; their order is the order on the wire
 * @param extra how many values follow them in each halo of an iteration; the blocks alone know what they mean. They are no
 *     part of the vector: recorded halos have none, or zeros
 */
public record Edge(int from, int to, Region values, int extra) {

    public Edge {
        if (extra < 0) {
            throw new IllegalArgumentException("extra is " + extra + ", must not be negative");
        }
    }

    /** An edge whose halos are the unknowns alone. */
    public Edge(int from, int to, Region values) {
        this(from, to, values, 0);
    }

    /** Number of values of a halo. */
    public int haloSize() {
        return values.size() + extra;
    }
}
