// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.MultigridModel;

/** Laplace's equation on a {@link UnitSquareGrid} for multigrid in rounds. */
record HeatMultigrid(UnitSquareGrid square) implements GridData {
    /** The best factor for sweeps over two axes. */
    static final double OMEGA = 1;

    /**
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     */
    MultigridModel model(int levels) {
        return new MultigridModel(
                new HeatModel(square, 1, 0),
                GridOperator.poisson(Shape.of(square.n(), square.n())),
                this,
                levels,
                OMEGA,
                layout -> new HeatRelaxation(
                        square, layout, KernelChoice.forUnknowns(layout.core().size())));
    }

    @Override
    public boolean hasUniformSource() {
        return true;
    }

    @Override
    public double source(int plane, int row, int column) {
        return 0;
    }

    /** Lines are numbered from 1, those of the square from 0. */
    @Override
    public double boundary(int plane, int row, int column) {
        return square.value(row - 1, column - 1);
    }
}
