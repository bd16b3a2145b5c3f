// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/** How a block improves its values. */
public enum HeatMethod {
    /** {@link #Multigrid} where it can be used, otherwise {@link #PointJacobi}. */
    Auto,
    /** Every point becomes the average of its four neighbors. */
    PointJacobi,
    /** A leg of a multigrid cycle on the block and some layers round it, in rounds with one coarse problem. */
    Multigrid
}
