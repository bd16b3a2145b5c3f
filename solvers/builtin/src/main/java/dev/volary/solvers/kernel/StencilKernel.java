// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

/**
 * Sweeps of a star stencil from one array to another. Two implementations give bitwise the same results: the additions of a
 * point have a fixed order (downwards in memory first), nothing is fused, and only lanes of different points are vectorized.
 *
 * <p>Stateless; safe for use by several threads on disjoint patches of {@code to}. No call allocates once compiled.
 *
 * <p>Each sweep returns {@code max |to − from|} over the patch if {@code measure} is set (NaN if any point is NaN), else 0.
 * Measuring costs some 10 %, so blocks measure every eighth sweep.
 */
public sealed interface StencilKernel permits ScalarKernel, VectorKernel {

    /** {@code to = ¼ Σ four neighbors}. */
    double jacobi5(double[] from, double[] to, SweepRegion patch, boolean measure);

    /**
     * One Jacobi sweep of implicit Euler, {@code to = inverse · (coupling · Σ four neighbors + old)}.
     *
     * @param old laid out as the grid
     */
    double implicit5(
            double[] from,
            double[] to,
            double[] old,
            double coupling,
            double inverse,
            SweepRegion patch,
            boolean measure);

    /** {@code to = ⅙ Σ six neighbors}. */
    double jacobi7(double[] from, double[] to, SweepRegion patch, boolean measure);

    /**
     * One Jacobi sweep of Poisson's equation, {@code to = ⅙ (Σ six neighbors + source)}.
     *
     * @param source h²f: laid out as the grid, or one row if {@code uniform}
     * @param uniform whether one row of {@code source}, as long as the longest row, serves all rows
     */
    double poisson7(double[] from, double[] to, double[] source, boolean uniform, SweepRegion patch, boolean measure);

    /** One projected Richardson step with the six neighbors; the projection of NaN is NaN. */
    double projected7(double[] from, double[] to, SweepRegion patch, Projection projection, boolean measure);

    /** Short name for reports. */
    String name();
}
