// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Shape;
import dev.volary.solver.TimeStepping;
import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.MultigridModel;

/**
 * The equations of {@link ImplicitHeatModel} for multigrid in rounds: {@code −κ Δt Δu + u = uˢ⁻¹}, a reaction of 1.
 *
 * @param bump what u⁰ is above the harmonic polynomial
 */
record ImplicitHeatMultigrid(UnitSquareGrid square, double diffusivity, TimeStepping time, SineMode bump)
        implements GridData {

    ImplicitHeatMultigrid(UnitSquareGrid square, double diffusivity, TimeStepping time) {
        this(square, diffusivity, time, new SineMode(square.n()));
    }

    /**
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     */
    MultigridModel model(int levels) {
        int n = square.n();
        double h = 1 / (n + 1.0);
        double diffusion = diffusivity * time.stepLength();
        double coupling = diffusion * square.inverseSquare();
        return new MultigridModel(
                new ImplicitHeatModel(square, diffusivity, time, 1),
                new GridOperator(Shape.of(n, n), new double[] {h, h}, diffusion, new double[2], 1),
                this,
                levels,
                HeatMultigrid.OMEGA,
                layout -> new ImplicitHeatRelaxation(
                        square,
                        coupling,
                        layout,
                        KernelChoice.forUnknowns(layout.core().size())));
    }

    @Override
    public boolean hasUniformSource() {
        return true;
    }

    @Override
    public double source(int plane, int row, int column) {
        return 0;
    }

    @Override
    public boolean hasSteps() {
        return true;
    }

    /** Lines are numbered from 1, those of the square from 0. */
    @Override
    public double initial(int plane, int row, int column) {
        return square.value(row - 1, column - 1) + bump.at(row - 1, column - 1);
    }

    @Override
    public double boundary(int plane, int row, int column) {
        return square.value(row - 1, column - 1);
    }
}
