// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Shape;
import dev.volary.solver.TimeStepping;
import dev.volary.solvers.kernel.GridBlockFactory;
import dev.volary.solvers.multigrid.MethodChoice;
import java.util.List;

/**
 * {@code heat2d-implicit}: ∂u/∂t = κΔu on the unit square by implicit Euler, from a harmonic polynomial plus
 * sin(πx) sin(πy), with the polynomial as boundary value.
 */
public final class ImplicitHeatProblem implements Problem {
    /** As for {@code heat2d}. */
    private static final Parameter<Integer> N = Parameter.integer(
            "points", "Number n of interior points along each edge; the unknowns are n × n.", 64, 2, 32_768);

    private static final Parameter<SteadyState> EQUILIBRIUM = Parameter.choice(
            "equilibrium",
            "Values on the boundary, and what the temperature tends to: a harmonic polynomial.",
            SteadyState.Zero);
    private static final Parameter<Double> DIFFUSIVITY =
            Parameter.real("diffusivity", "Thermal diffusivity κ, in squares of the edge per second.", 1, 1e-12, 1e12);
    private static final Parameter<Integer> STEPS =
            Parameter.integer("steps", "Number of time steps.", 10, 1, 1_000_000_000);
    private static final Parameter<Double> STEP_LENGTH =
            Parameter.real("stepLength", "Length of a time step, in seconds.", 0.01, 1e-12, 1e12);
    private static final Parameter<HeatMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Multigrid, or PointJacobi where Multigrid cannot be used or a parameter of"
                    + " PointJacobi is set.",
            HeatMethod.Auto);
    private static final Parameter<Integer> SWEEPS = GridBlockFactory.sweeps(HeatMethod.PointJacobi);
    private static final MethodChoice<HeatMethod> CHOICE =
            new MethodChoice<>(METHOD, HeatMethod.Multigrid, HeatMethod.PointJacobi, List.of(SWEEPS));

    @Override
    public String name() {
        return "heat2d-implicit";
    }

    @Override
    public String summary() {
        return "Heat conduction in time on the unit square, five-point differences and implicit Euler steps.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, EQUILIBRIUM, DIFFUSIVITY, STEPS, STEP_LENGTH, METHOD, SWEEPS, MethodChoice.LEVELS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int n = values.get(N);
        double diffusivity = values.get(DIFFUSIVITY);
        UnitSquareGrid square = new UnitSquareGrid(n, values.get(EQUILIBRIUM));
        TimeStepping time = new TimeStepping(values.get(STEPS), values.get(STEP_LENGTH));
        return CHOICE.open(
                values,
                Shape.of(n, n),
                () -> new ImplicitHeatModel(square, diffusivity, time, values.get(SWEEPS)),
                new ImplicitHeatMultigrid(square, diffusivity, time)::model);
    }
}
