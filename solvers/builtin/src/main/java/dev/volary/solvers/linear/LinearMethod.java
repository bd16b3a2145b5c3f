// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

/** How a block is relaxed in one iteration, with the newest halos. */
enum LinearMethod {
    /** One Jacobi sweep over the block. */
    PointJacobi,
    /** A number of Gauss–Seidel sweeps over the block. */
    GaussSeidel,
    /** The block is solved exactly, with a factorization made once. */
    Direct
}
