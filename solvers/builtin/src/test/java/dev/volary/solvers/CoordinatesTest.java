// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.GridAxis;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.heat.HeatProblem;
import dev.volary.solvers.heat.ImplicitHeatProblem;
import dev.volary.solvers.obstacle.ObstacleProblem;
import dev.volary.solvers.poisson.PoissonProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoordinatesTest {
    private static List<GridAxis> axes(Problem problem, String method, Map<String, Object> parameters)
            throws InvalidProblemException {
        Map<String, Object> given = new HashMap<>(parameters);
        given.put("points", 7);
        given.put("method", method);
        Model model = problem.open(ParameterValues.of(problem.parameters(), given), Inputs.none());
        return model.axes();
    }

    @Test
    void problemsOnTheUnitSquareAndCubeLieBetweenTheirBoundaries() throws InvalidProblemException {
        GridAxis y = new GridAxis("y", 0.125, 0.125);
        GridAxis x = new GridAxis("x", 0.125, 0.125);
        GridAxis z = new GridAxis("z", 0.125, 0.125);
        for (String method : List.of("PointJacobi", "Multigrid", "Auto")) {
            assertEquals(List.of(y, x), axes(new HeatProblem(), method, Map.of()));
            assertEquals(List.of(y, x), axes(new ImplicitHeatProblem(), method, Map.of()));
        }
        for (String method : List.of("Relaxation", "Multigrid", "Auto")) {
            assertEquals(List.of(z, y, x), axes(new PoissonProblem(), method, Map.of()));
            assertEquals(List.of(z, y, x), axes(new ObstacleProblem(), method, Map.of("data", "Membrane")));
        }
        assertArrayEquals(new double[] {0.125, 0.25, 0.375}, x.coordinates(3));
    }

    @Test
    void theBallLiesInACubeAroundTheOrigin() throws InvalidProblemException {
        for (GridAxis axis : axes(new ObstacleProblem(), "Auto", Map.of("data", "Ball"))) {
            assertEquals(-1.5, axis.first());
            assertEquals(0.5, axis.spacing());
        }
    }
}
