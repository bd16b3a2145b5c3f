// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

/** The vectors that solve A x = 0. */
enum NullSpace {
    /** None but zero: the solution is unique. */
    None,
    /** Constants on each set of connected unknowns whose rows sum to zero, as in a pure Neumann problem. */
    Constants
}
