// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * Values that one block reads from another; there is at most one edge for an ordered pair of blocks.
 *
 * @param from the block that owns the values
 * @param to the block that reads them
 * @param values the unknowns that travel, all within the core of {@code from}; their order is the order on the wire
 */
public record Edge(int from, int to, Region values) {}
