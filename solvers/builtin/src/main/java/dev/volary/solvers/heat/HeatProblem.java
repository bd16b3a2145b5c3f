// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.GridBlockFactory;
import dev.volary.solvers.multigrid.MethodChoice;
import java.util.List;

/** {@code heat2d}: −Δu = 0 on the unit square, u given on its boundary. */
public final class HeatProblem implements Problem {
    /** From two points on the scale is positive for every boundary; beyond 32 768 a single block fits no array. */
    private static final Parameter<Integer> N = Parameter.integer(
            "points", "Number n of interior points along each edge; the unknowns are n × n.", 64, 2, 32_768);

    private static final Parameter<BoundaryValues> BOUNDARY = Parameter.choice(
            "boundary",
            "Values on the boundary: 1 on the side y = 1 (Series), or a harmonic polynomial.",
            BoundaryValues.Series);
    private static final Parameter<HeatMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Multigrid, or PointJacobi where Multigrid cannot be used or a parameter of"
                    + " PointJacobi is set.",
            HeatMethod.Auto);
    private static final Parameter<Integer> SWEEPS = GridBlockFactory.sweeps(HeatMethod.PointJacobi);
    private static final Parameter<Integer> OVERLAP = Parameter.integer(
            "overlap",
            "For PointJacobi: layers of points that a block of up to " + HeatModel.SMALL
                    + " points shares with each neighbor, for fewer exchanges; larger blocks share none.",
            4,
            0,
            64);
    private static final MethodChoice<HeatMethod> CHOICE =
            new MethodChoice<>(METHOD, HeatMethod.Multigrid, HeatMethod.PointJacobi, List.of(SWEEPS, OVERLAP));

    @Override
    public String name() {
        return "heat2d";
    }

    @Override
    public String summary() {
        return "Stationary heat (Laplace) on the unit square, five-point differences.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, BOUNDARY, METHOD, SWEEPS, OVERLAP, MethodChoice.LEVELS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int n = values.get(N);
        UnitSquareGrid square = new UnitSquareGrid(n, values.get(BOUNDARY));
        return CHOICE.open(
                values,
                Shape.of(n, n),
                () -> new HeatModel(square, values.get(SWEEPS), values.get(OVERLAP)),
                new HeatMultigrid(square)::model);
    }
}
