// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/** Values on the boundary of the unit square that do not change with time. */
@FunctionalInterface
interface DirichletBoundary {

    /** The value at a point of the boundary; for harmonic polynomials also their value inside. */
    double at(double x, double y);
}
