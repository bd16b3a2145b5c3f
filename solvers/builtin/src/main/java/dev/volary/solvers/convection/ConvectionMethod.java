// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

/** How a block improves its values. */
public enum ConvectionMethod {
    /** {@link #Multigrid} where it can be used, otherwise {@link #PointJacobi}. */
    Auto,
    /** Every point becomes what its row of the equations says. */
    PointJacobi,
    /** A leg of a multigrid cycle on the block and some layers round it, in rounds with one coarse problem. */
    Multigrid
}
