// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/** How a block improves its values within a time step. */
public enum ImplicitHeatMethod {
    /** Every point becomes the solution of its row. */
    PointJacobi
}
