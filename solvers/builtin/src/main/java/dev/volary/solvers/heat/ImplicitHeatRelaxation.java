// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Box;
import dev.volary.solver.Residual;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.SavedArrays;
import dev.volary.solvers.kernel.StencilKernel;
import dev.volary.solvers.kernel.SteppedRelaxation;
import dev.volary.solvers.kernel.SweepRegion;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Point Jacobi for the equations of one implicit Euler step on one block. */
final class ImplicitHeatRelaxation implements SteppedRelaxation {
    /**
     * γ₁₀ = 10u/(1 − 10u): eight roundings for each term of a row, μ's own included, two in reserve; see
     * docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(10);

    private final UnitSquareGrid square;
    private final GhostGrid layout;
    private final StencilKernel kernel;
    private final double coupling;
    private final double diagonal;
    private final double[] committed;
    private int step = 1;

    /**
     * @param coupling μ = κ Δt / h²
     */
    ImplicitHeatRelaxation(UnitSquareGrid square, double coupling, GhostGrid layout, StencilKernel kernel) {
        this.square = square;
        this.layout = layout;
        this.kernel = kernel;
        this.coupling = coupling;
        this.diagonal = 1 + 4 * coupling;
        this.committed = layout.allocate();
        SineMode bump = new SineMode(square.n());
        Box core = layout.core();
        for (int iy = core.lo(0); iy < core.hi(0); iy++) {
            for (int ix = core.lo(1); ix < core.hi(1); ix++) {
                committed[layout.index(0, iy - core.lo(0), ix - core.lo(1))] = square.value(iy, ix) + bump.at(iy, ix);
            }
        }
    }

    @Override
    public void setBoundary(double[] grid) {
        square.fill(layout, grid);
    }

    @Override
    public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
        return kernel.implicit5(from, to, committed, coupling, 1 / diagonal, patch, measure);
    }

    /** A sweep changes a point by its residual divided by the diagonal. */
    @Override
    public double hint(double change) {
        return diagonal * change;
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
            double r = coupling * sum + committed[i] - diagonal * grid[i];
            double neighbors = Math.abs(grid[i - stride])
                    + Math.abs(grid[i - 1])
                    + Math.abs(grid[i + 1])
                    + Math.abs(grid[i + stride]);
            double terms = coupling * neighbors + Math.abs(committed[i]) + diagonal * Math.abs(grid[i]);
            max = Math.max(max, Math.abs(r));
            magnitude = Math.max(magnitude, terms);
            squares += r * r;
        }
        return new Residual(max, squares, ROUNDOFF * magnitude);
    }

    @Override
    public int step() {
        return step;
    }

    @Override
    public double[] committed() {
        return committed;
    }

    @Override
    public void commit(double[] core) {
        layout.setCore(committed, core);
        step++;
    }

    @Override
    public void save(DataOutput out) throws IOException {
        out.writeInt(step);
        layout.writeCore(committed, out);
    }

    @Override
    public void load(DataInput in) throws IOException {
        step = in.readInt();
        double[] core = new double[layout.core().size()];
        SavedArrays.read(in, core);
        layout.setCore(committed, core);
    }
}
