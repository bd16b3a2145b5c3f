// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Model;
import dev.volary.solver.Problem;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.convection.ConvectionProblem;
import dev.volary.solvers.heat.HeatProblem;
import dev.volary.solvers.linear.Matrices;
import dev.volary.solvers.obstacle.ObstacleProblem;
import dev.volary.solvers.poisson.PoissonProblem;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds that start from a vector, as a job with an initial guess or a checkpoint does, in one thread. */
class StartFromVectorTest {
    private static final double TOLERANCE = 1e-8;

    static Stream<Arguments> models() throws Exception {
        return Stream.of(
                open(new PoissonProblem(), Map.of("points", 31)),
                open(new HeatProblem(), Map.of("points", 63)),
                open(new ObstacleProblem(), Map.of("points", 15)),
                open(new ConvectionProblem(), Map.of("points", 63, "flow", "Vortex", "diffusion", 0.01)),
                Arguments.of(
                        "linear-system",
                        Matrices.open(Map.of("matrix", "airfoil.mtx.gz", "method", "Schwarz"), Matrices::example)));
    }

    private static Arguments open(Problem problem, Map<String, Object> parameters) throws Exception {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("method", "Multigrid");
        return Arguments.of(problem.name(), ProblemUnderTest.of(problem, all).open());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void theFirstRoundsKeepWhatTheVectorHasAndABetterOneNeedsFewerRounds(String name, Model model) throws Exception {
        RedundantRounds first = new RedundantRounds(model, 4);
        int rough = first.roundsTo(1e-4, 100);
        RedundantRounds second = first.again(model);
        int more = second.roundsTo(TOLERANCE, 100);
        int all = new RedundantRounds(model, 4).roundsTo(TOLERANCE, 100);
        assertTrue(more < all, () -> name + ": " + more + " rounds after " + rough + ", " + all + " from the start");
        RedundantRounds third = second.again(model);
        for (int round = 1; round <= 2; round++) {
            third.round(-1);
            double kept = third.certified();
            assertTrue(kept <= 2 * TOLERANCE, () -> name + ": one of the first rounds leaves " + kept);
        }
    }
}
