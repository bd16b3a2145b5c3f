// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

/** How a block improves its values. */
public enum PoissonMethod {
    /** {@link #Multigrid} where it can be used, otherwise {@link #Relaxation}. */
    Auto,
    /** Every point becomes the average of its six neighbors, plus h²f/6. */
    Relaxation,
    /** A leg of a multigrid cycle on the block and some layers round it, in rounds with one coarse problem. */
    Multigrid
}
