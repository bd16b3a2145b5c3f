// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import dev.volary.solver.Box;
import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Projection;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.StencilKernel;
import dev.volary.solvers.kernel.SweepRegion;
import java.util.Arrays;

/** Projected Richardson on one block. */
final class ObstacleRelaxation implements Relaxation {
    /**
     * γ₁₀ = 10u/(1 − 10u): eight roundings for each term of a row, two in reserve for the sum of magnitudes; see
     * docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(10);

    private final int n;
    private final ObstacleData data;
    private final GhostGrid layout;
    private final StencilKernel kernel;
    private final Projection projection;
    private final double inverseSquare;

    ObstacleRelaxation(int n, ObstacleData data, double gamma, GhostGrid layout, StencilKernel kernel) {
        this.n = n;
        this.data = data;
        this.layout = layout;
        this.kernel = kernel;
        double h = data.step(n);
        this.inverseSquare = 1 / (h * h);
        this.projection = new Projection(1 - 6 * gamma, gamma, h * h * data.load(), obstacle(), data.uniform());
    }

    private double[] obstacle() {
        Box core = layout.core();
        if (data.uniform()) {
            double[] row = new double[core.extent(2)];
            Arrays.fill(row, data.obstacle(0, 0, 0));
            return row;
        }
        double[] grid = layout.allocate();
        for (int iz = core.lo(0); iz < core.hi(0); iz++) {
            for (int iy = core.lo(1); iy < core.hi(1); iy++) {
                for (int ix = core.lo(2); ix < core.hi(2); ix++) {
                    grid[index(iz, iy, ix)] =
                            data.obstacle(data.coordinate(ix, n), data.coordinate(iy, n), data.coordinate(iz, n));
                }
            }
        }
        return grid;
    }

    private int index(int iz, int iy, int ix) {
        Box core = layout.core();
        return layout.index(iz - core.lo(0), iy - core.lo(1), ix - core.lo(2));
    }

    @Override
    public void setBoundary(double[] grid) {
        Box core = layout.core();
        for (int axis = 0; axis < 3; axis++) {
            if (core.lo(axis) == 0) {
                setFace(grid, axis, -1);
            }
            if (core.hi(axis) == n) {
                setFace(grid, axis, n);
            }
        }
    }

    private void setFace(double[] grid, int axis, int at) {
        Box core = layout.core();
        int[] lo = {core.lo(0), core.lo(1), core.lo(2)};
        int[] hi = {core.hi(0), core.hi(1), core.hi(2)};
        lo[axis] = at;
        hi[axis] = at + 1;
        for (int iz = lo[0]; iz < hi[0]; iz++) {
            for (int iy = lo[1]; iy < hi[1]; iy++) {
                for (int ix = lo[2]; ix < hi[2]; ix++) {
                    grid[index(iz, iy, ix)] =
                            data.boundary(data.coordinate(ix, n), data.coordinate(iy, n), data.coordinate(iz, n));
                }
            }
        }
    }

    @Override
    public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
        return kernel.projected7(from, to, patch, projection, measure);
    }

    /** A free point changes by γh² times its residual. */
    @Override
    public double hint(double change) {
        return change * inverseSquare / projection.step();
    }

    @Override
    public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
        int rowStride = patch.rowStride();
        int planeStride = patch.planeStride();
        double[] obstacle = projection.obstacle();
        double load = data.load();
        // Bits of sizes, which are ordered as the sizes are, NaN above all: the maximum of two doubles takes many
        // instructions.
        long max = 0;
        long magnitude = 0;
        double squares = 0;
        int start = patch.row(plane, row);
        int shift = projection.row(patch, plane, row) - start;
        for (int i = start; i < start + patch.columns(); i++) {
            double u = grid[i];
            double phi = obstacle[i + shift];
            double sum = grid[i - planeStride]
                    + grid[i - rowStride]
                    + grid[i - 1]
                    + grid[i + 1]
                    + grid[i + rowStride]
                    + grid[i + planeStride];
            double equation = (6 * u - sum) * inverseSquare - load;
            double contact = 6 * inverseSquare * (u - phi);
            double r = contact < equation ? contact : equation; // NaN if u or a neighbor is
            double terms = Math.abs(grid[i - planeStride])
                    + Math.abs(grid[i - rowStride])
                    + Math.abs(grid[i - 1])
                    + Math.abs(grid[i + 1])
                    + Math.abs(grid[i + rowStride])
                    + Math.abs(grid[i + planeStride])
                    + 6 * Math.abs(u);
            // The minimum is off by no more than either argument; the second has three roundings, not ten.
            double contactTerms = 2 * (Math.abs(u) + Math.abs(phi));
            max = Math.max(max, Double.doubleToRawLongBits(Math.abs(r)));
            magnitude = Math.max(magnitude, Double.doubleToRawLongBits(terms));
            magnitude = Math.max(magnitude, Double.doubleToRawLongBits(contactTerms));
            squares += r * r;
        }
        double roundoff = Double.longBitsToDouble(magnitude) * inverseSquare + Math.abs(load);
        return new Residual(Double.longBitsToDouble(max), squares, ROUNDOFF * roundoff);
    }
}
