// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

/** How a block improves its values. */
public enum ObstacleMethod {
    /** {@link #Multigrid} where it can be used, otherwise {@link #Relaxation}. */
    Auto,
    /** Projected Richardson: every point moves against its residual, but not below the obstacle. */
    Relaxation,
    /** A leg of a projected multigrid cycle on the block and some layers round it, in rounds with one coarse problem. */
    Multigrid
}
