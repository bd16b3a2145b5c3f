// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.Box;
import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.StencilKernel;
import dev.volary.solvers.kernel.SweepRegion;
import java.util.Arrays;

/** Point Jacobi for Poisson's equation on one block, and the residual that certifies it. */
final class PoissonRelaxation implements Relaxation {
    private final StencilKernel kernel;
    private final double inverseSquare;
    private final boolean uniform;
    /** f, and h²f for sweeps: laid out as the grid, or one row. */
    private final double[] source;

    private final double[] scaledSource;

    PoissonRelaxation(PoissonEquation equation, GhostGrid layout, StencilKernel kernel) {
        this.kernel = kernel;
        inverseSquare = equation.inverseSquare();
        uniform = equation.isUniform();
        Box core = layout.core();
        if (uniform) {
            source = new double[core.extent(2)];
            Arrays.fill(source, equation.sourceAt(0, 0, 0));
        } else {
            source = layout.allocate();
            for (int iz = core.lo(0); iz < core.hi(0); iz++) {
                for (int iy = core.lo(1); iy < core.hi(1); iy++) {
                    for (int ix = core.lo(2); ix < core.hi(2); ix++) {
                        source[layout.index(iz - core.lo(0), iy - core.lo(1), ix - core.lo(2))] =
                                equation.sourceAt(iz, iy, ix);
                    }
                }
            }
        }
        scaledSource = Arrays.stream(source).map(f -> f / inverseSquare).toArray();
    }

    /** Zero, as the grid already is. */
    @Override
    public void setBoundary(double[] grid) {}

    @Override
    public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
        return kernel.poisson7(from, to, scaledSource, uniform, patch, measure);
    }

    /** A sweep changes a point by h²/6 times its residual. */
    @Override
    public double hint(double change) {
        return 6 * inverseSquare * change;
    }

    @Override
    public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
        int rowStride = patch.rowStride();
        int planeStride = patch.planeStride();
        // Bits of sizes, which are ordered as the sizes are, NaN above all: the maximum of two doubles takes many
        // instructions.
        long max = 0;
        long magnitude = 0;
        long largest = 0;
        double squares = 0;
        int start = patch.row(plane, row);
        int shift = uniform ? -start : 0;
        for (int i = start; i < start + patch.columns(); i++) {
            double f = source[i + shift];
            double sum = grid[i - planeStride]
                    + grid[i - rowStride]
                    + grid[i - 1]
                    + grid[i + 1]
                    + grid[i + rowStride]
                    + grid[i + planeStride];
            double r = (6 * grid[i] - sum) * inverseSquare - f;
            double terms = Math.abs(grid[i - planeStride])
                    + Math.abs(grid[i - rowStride])
                    + Math.abs(grid[i - 1])
                    + Math.abs(grid[i + 1])
                    + Math.abs(grid[i + rowStride])
                    + Math.abs(grid[i + planeStride])
                    + 6 * Math.abs(grid[i]);
            max = Math.max(max, Double.doubleToRawLongBits(Math.abs(r)));
            magnitude = Math.max(magnitude, Double.doubleToRawLongBits(terms));
            largest = Math.max(largest, Double.doubleToRawLongBits(Math.abs(f)));
            squares += r * r;
        }
        double roundoff = Double.longBitsToDouble(magnitude) * inverseSquare + Double.longBitsToDouble(largest);
        return new Residual(Double.longBitsToDouble(max), squares, PoissonEquation.ROUNDOFF * roundoff);
    }
}
