// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

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

/** {@code obstacle3d}: u ≥ φ, −Δu ≥ f, with equality in one of them everywhere, u given on the boundary of a cube. */
public final class ObstacleProblem implements Problem {
    /** The step length of projected Jacobi, for the operator scaled by h². */
    static final double JACOBI = 1.0 / 6;

    private static final Parameter<Integer> N = Parameter.integer(
            "points", "Number n of interior points along each edge; the unknowns are n × n × n.", 31, 1, 2048);
    private static final Parameter<ObstacleData> DATA = Parameter.choice(
            "data",
            "Membrane: pressed onto a plane in the unit cube; Ball: over a ball, with a known solution.",
            ObstacleData.Membrane);
    private static final Parameter<ObstacleMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Multigrid, or Relaxation where Multigrid cannot be used or a parameter of"
                    + " Relaxation is set.",
            ObstacleMethod.Auto);
    private static final Parameter<Double> GAMMA = Parameter.real(
            "gamma",
            "For Relaxation: step length of projected Richardson, for the operator scaled by h²; 1/6 is projected"
                    + " Jacobi.",
            JACOBI,
            0,
            1);
    private static final Parameter<Integer> SWEEPS = GridBlockFactory.sweeps(ObstacleMethod.Relaxation);
    private static final MethodChoice<ObstacleMethod> CHOICE =
            new MethodChoice<>(METHOD, ObstacleMethod.Multigrid, ObstacleMethod.Relaxation, List.of(GAMMA, SWEEPS));

    @Override
    public String name() {
        return "obstacle3d";
    }

    @Override
    public String summary() {
        return "Obstacle problem on a cube, seven-point differences.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, DATA, METHOD, MethodChoice.LEVELS, GAMMA, SWEEPS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int n = values.get(N);
        return CHOICE.open(
                values, Shape.of(n, n, n), () -> relaxation(values), new ObstacleMultigrid(n, values.get(DATA))::model);
    }

    private static Model relaxation(ParameterValues values) throws InvalidProblemException {
        int n = values.get(N);
        double gamma = values.get(GAMMA);
        double limit = ObstacleModel.stepLimit(n);
        if (!(gamma > 0 && gamma < limit)) {
            throw new InvalidProblemException(
                    GAMMA.name(),
                    "is " + gamma + ", but asynchronous projected Richardson converges for n = " + n
                            + " only between 0 and " + limit,
                    "use 0.16666666666666666, which is the fastest");
        }
        return new ObstacleModel(n, values.get(DATA), gamma, values.get(SWEEPS));
    }
}
