// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * The data of a problem {@code Au = f} on a grid, with given values on the boundary and possibly an obstacle. Points are given
 * by the lines of the finest level they lie on: 1 … n on each axis, 0 and n + 1 on the boundary; planes are always 1 on a grid
 * of two axes. Immutable and deterministic, as every block asks on its own.
 */
public interface GridData {

    /** Whether the right-hand side is the same everywhere, so that no array of it is needed. */
    boolean hasUniformSource();

    /** The right-hand side f. */
    double source(int plane, int row, int column);

    /** The value of u on the boundary of the domain, where at least one line is 0 or n + 1. */
    default double boundary(int plane, int row, int column) {
        return 0;
    }

    /**
     * Whether the problem marches in time. Step s then has the equations {@code Au = f + c uˢ⁻¹}, c being the reaction of the
     * operator A.
     */
    default boolean hasSteps() {
        return false;
    }

    /** u⁰ of a problem that marches in time. */
    default double initial(int plane, int row, int column) {
        return 0;
    }

    /** Whether there is an obstacle. The problem is then {@code min(Au − f, u − φ) = 0}. */
    default boolean hasObstacle() {
        return false;
    }

    /** Whether the obstacle is the same everywhere, so that the finest level needs no array of it. */
    default boolean hasUniformObstacle() {
        return false;
    }

    /** The obstacle φ, a lower bound of u. */
    default double obstacle(int plane, int row, int column) {
        return Double.NEGATIVE_INFINITY;
    }
}
