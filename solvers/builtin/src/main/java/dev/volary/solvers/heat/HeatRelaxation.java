// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.StencilKernel;
import dev.volary.solvers.kernel.SweepRegion;

/** Point Jacobi for Laplace's equation on one block. */
final class HeatRelaxation implements Relaxation {
    /**
     * γ₆ = 6u/(1 − 6u): three additions, a subtraction and a scaling make five roundings for each term of a row, and the
     * sixth covers those in the sum of magnitudes itself (docs/explanation/certification.md, "rounding bound").
     */
    static final double ROUNDOFF = Residual.gamma(6);

    private final UnitSquareGrid square;
    private final GhostGrid layout;
    private final StencilKernel kernel;
    private final double inverseSquare;

    HeatRelaxation(UnitSquareGrid square, GhostGrid layout, StencilKernel kernel) {
        this.square = square;
        this.layout = layout;
        this.kernel = kernel;
        this.inverseSquare = square.inverseSquare();
    }

    @Override
    public void setBoundary(double[] grid) {
        square.fill(layout, grid);
    }

    @Override
    public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
        return kernel.jacobi5(from, to, patch, measure);
    }

    /** A sweep changes a point by h²/4 times its residual. */
    @Override
    public double hint(double change) {
        return 4 * inverseSquare * change;
    }

    @Override
    public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
        int stride = patch.rowStride();
        double max = 0;
        double squares = 0;
        double magnitude = 0;
        int start = patch.row(plane, row);
        for (int i = start; i < start + patch.columns(); i++) {
            double sum = grid[i - stride] + grid[i - 1] + grid[i + 1] + grid[i + stride];
            double r = (sum - 4 * grid[i]) * inverseSquare;
            double terms = Math.abs(grid[i - stride])
                    + Math.abs(grid[i - 1])
                    + Math.abs(grid[i + 1])
                    + Math.abs(grid[i + stride])
                    + 4 * Math.abs(grid[i]);
            max = Math.max(max, Math.abs(r));
            magnitude = Math.max(magnitude, terms);
            squares += r * r;
        }
        return new Residual(max, squares, ROUNDOFF * magnitude * inverseSquare);
    }
}
