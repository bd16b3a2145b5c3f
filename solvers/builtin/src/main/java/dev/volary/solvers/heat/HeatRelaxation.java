package dev.volary.solvers.heat;

import dev.volary.solver.Box;
import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Patch;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.StencilKernel;

/** Point Jacobi for Laplace's equation on one block. */
final class HeatRelaxation implements Relaxation {
    /**
     * γ₆ = 6u/(1 − 6u): three additions, a subtraction and a scaling make five roundings for each term of a row, and the
     * sixth covers those in the sum of magnitudes itself (algorithms reference §C.5).
     */
    static final double ROUNDOFF = 6 * 0x1p-53 / (1 - 6 * 0x1p-53);

    private final int n;
    private final Boundary boundary;
    private final GhostGrid layout;
    private final StencilKernel kernel;
    private final double inverseSquare;

    HeatRelaxation(int n, Boundary boundary, GhostGrid layout, StencilKernel kernel) {
        this.n = n;
        this.boundary = boundary;
        this.layout = layout;
        this.kernel = kernel;
        this.inverseSquare = HeatModel.inverseSquare(n);
    }

    @Override
    public void setBoundary(double[] grid) {
        Box core = layout.core();
        for (int iy = core.lo(0); iy < core.hi(0); iy++) {
            setIfOutside(grid, iy, core.lo(1) - 1);
            setIfOutside(grid, iy, core.hi(1));
        }
        for (int ix = core.lo(1); ix < core.hi(1); ix++) {
            setIfOutside(grid, core.lo(0) - 1, ix);
            setIfOutside(grid, core.hi(0), ix);
        }
    }

    private void setIfOutside(double[] grid, int iy, int ix) {
        if (iy < 0 || iy == n || ix < 0 || ix == n) {
            double value = boundary.at((ix + 1) / (n + 1.0), (iy + 1) / (n + 1.0));
            grid[layout.index(0, iy - layout.core().lo(0), ix - layout.core().lo(1))] = value;
        }
    }

    @Override
    public double sweep(double[] from, double[] to, Patch patch, boolean measure) {
        return kernel.jacobi5(from, to, patch, measure);
    }

    /** A sweep changes a point by h²/4 times its residual. */
    @Override
    public double hint(double change) {
        return 4 * inverseSquare * change;
    }

    @Override
    public Residual residual(double[] grid) {
        Patch whole = layout.whole();
        int stride = whole.rowStride();
        double max = 0;
        double squares = 0;
        double magnitude = 0;
        for (int row = 0; row < whole.rows(); row++) {
            int start = layout.index(0, row, 0);
            for (int i = start; i < start + whole.columns(); i++) {
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
        }
        return new Residual(max, squares, ROUNDOFF * magnitude * inverseSquare);
    }
}
