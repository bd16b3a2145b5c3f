// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.MultigridModel;
import java.util.Arrays;

/** A {@link ConvectionEquation} by multigrid in rounds, with upwind differences on all levels. */
record ConvectionMultigrid(ConvectionEquation equation) implements GridData {
    /** Overrelaxed sweeps of strong convection diverge. */
    private static final double OMEGA = 1;

    /** Of moderate convection; without any it is 0.1, for a vortex at the largest Péclet number up to 0.87. */
    private static final double RATE = 0.6;

    /**
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     */
    MultigridModel model(int levels) {
        return new MultigridModel(
                new ConvectionRelaxationModel(equation, ""),
                operator(),
                this,
                levels,
                OMEGA,
                RATE,
                layout -> new ConvectionRelaxation(equation, layout));
    }

    private GridOperator operator() {
        double[] steps = equation.steps();
        ConvectionCoefficients coefficients = equation.coefficients();
        if (coefficients.hasDiffusionField()) {
            return GridOperator.withCoefficients(
                    equation.unknowns(), steps, coefficients::diffusionBefore, coefficients::velocity);
        }
        if (!coefficients.areUniform()) {
            return GridOperator.withFlow(equation.unknowns(), steps, coefficients.diffusion(), coefficients::velocity);
        }
        double[] velocity = new double[steps.length];
        Arrays.setAll(velocity, axis -> coefficients.velocity(axis + 3 - velocity.length, 1, 1, 1));
        return new GridOperator(equation.unknowns(), steps, coefficients.diffusion(), velocity, 0);
    }

    @Override
    public boolean hasUniformSource() {
        return equation.hasUniformSource();
    }

    @Override
    public double source(int plane, int row, int column) {
        return equation.source(plane, row, column);
    }
}
