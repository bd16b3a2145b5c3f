// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.CoarseModel;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConvectionProblemTest {

    /** scipy 1.17.1: the matrix assembled on its own and solved directly (docs/explanation/problems.md, "convection and diffusion"). */
    @ParameterizedTest
    @CsvSource({
        "2, 15, 0.1, Diagonal, Multigrid, 45.90673018475, 0.4104039107161, 0.3131240278804",
        "2, 15, 0.1, Diagonal, PointJacobi, 45.90673018475, 0.4104039107161, 0.3131240278804",
        "2, 31, 0.01, Vortex, Multigrid, 2608.930297722, 5.519298085418, 5.519298085418",
        "2, 31, 1e-4, Vortex, Auto, 9739.762958202, 25.87948637923, 25.87948637923",
        "3, 9, 0.05, Diagonal, Auto, 125.073805293, 0.3993542452142, 0.2753819891647",
        "3, 11, 0.03, Vortex, Multigrid, 917.1509026424, 1.562200041513, 1.562200041513",
        "3, 11, 0.03, Vortex, PointJacobi, 917.1509026424, 1.562200041513, 1.562200041513"
    })
    void theSolutionIsThatOfADirectSolve(
            int axes, int n, double diffusion, String flow, String method, double sum, double largest, double center)
            throws InvalidProblemException {
        Map<String, Object> parameters =
                Map.of("axes", axes, "points", n, "diffusion", diffusion, "flow", flow, "method", method);
        double[] u = solve(parameters, 4, 1e-11);
        assertEquals(sum, Arrays.stream(u).sum(), 1e-8 * sum);
        assertEquals(largest, Arrays.stream(u).max().orElseThrow(), 1e-8 * largest);
        assertEquals(center, u[u.length / 2], 1e-8 * center);
    }

    @ParameterizedTest
    @CsvSource({"2, Diagonal, 14", "2, Vortex, 15", "3, Diagonal, 8", "3, Vortex, 7"})
    void aProductOfSinesSolvesTheSchemeWithItsRightHandSide(int axes, String flow, int n)
            throws InvalidProblemException {
        for (String method : new String[] {"PointJacobi", "Multigrid"}) {
            double[] u =
                    solve(Map.of("axes", axes, "points", n, "flow", flow, "f", "Sines", "method", method), 3, 1e-12);
            for (int i = 0; i < u.length; i++) {
                double expected = sine(i % n, n) * sine(i / n % n, n) * (axes == 3 ? sine(i / n / n, n) : 1);
                assertEquals(expected, u[i], 1e-10);
            }
        }
    }

    private static double sine(int index, int n) {
        return Math.sin(Math.PI * (index + 1) / (n + 1));
    }

    /** ρ(|T|) from scipy's eigs for the assembled matrix. */
    @ParameterizedTest
    @CsvSource({"2, 15, 0.1, 0.9525796730325", "3, 9, 0.05, 0.8236391035463"})
    void aDiagonalFlowIsCertifiedWithTheRateOfJacobi(int axes, int n, double diffusion, double rate)
            throws InvalidProblemException {
        Preflight known = preflight(Map.of("axes", axes, "points", n, "diffusion", diffusion, "method", "PointJacobi"));
        assertEquals(rate, known.upper(), 1e-12);
        assertTrue(known.lower() < known.upper());
    }

    @Test
    void aVortexIsCertifiedWithoutARate() throws InvalidProblemException {
        Model model = open(Map.of("flow", "Vortex", "method", "PointJacobi"));
        Preflight known = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, known.verdict());
        assertTrue(model.predictedIterations(model.decompose(2), 1e-6).isEmpty());
    }

    private static Preflight preflight(Map<String, Object> parameters) throws InvalidProblemException {
        Model model = open(parameters);
        return model.preflight(model.decompose(4)).orElseThrow();
    }

    /** Rounds diverge at a cell Péclet number of 32, see the counts of {@code FlowRoundsTest}. */
    @Test
    void strongConvectionRelaxesUnlessMultigridIsAskedFor() throws InvalidProblemException {
        Model model = open(Map.of("points", 63, "diffusion", "1e-3", "flow", "Vortex"));
        assertEquals(
                "PointJacobi (Multigrid needs a diffusion of 0.00391 or more)",
                model.method(model.decompose(2)).orElseThrow());
        String message =
                "diffusion is 0.001, but Multigrid needs 0.00391 or more with 63 points; use more points, or method PointJacobi";
        for (Map<String, Object> asked : List.<Map<String, Object>>of(
                Map.of("points", 63, "diffusion", "1e-3", "method", "Multigrid"),
                Map.of("points", 63, "diffusion", "1e-3", "levels", 1))) {
            assertEquals(
                    message,
                    assertThrows(InvalidProblemException.class, () -> open(asked))
                            .getMessage());
        }
        open(Map.of("points", 63, "diffusion", 1.0 / 256, "method", "Multigrid"));
    }

    @ParameterizedTest
    @CsvSource({"Diagonal, One", "Diagonal, Sines", "Vortex, One", "Vortex, Sines"})
    void theToleranceMayBeAsSmallAsTheAttainableFloor(String flow, String f) throws InvalidProblemException {
        for (String method : new String[] {"PointJacobi", "Multigrid"}) {
            Map<String, Object> parameters =
                    Map.of("points", 12, "diffusion", 0.02, "flow", flow, "f", f, "method", method);
            solve(parameters, 2, open(parameters).attainableFloor());
        }
    }

    private static double[] solve(Map<String, Object> parameters, int blocks, double tolerance)
            throws InvalidProblemException {
        Model model = open(parameters);
        Model runnable = model instanceof CoarseModel ? RedundantCoarseModel.of(model) : model;
        return InProcessSolver.open(runnable, blocks).solve(tolerance, 20_000).vector();
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new ConvectionProblem(), parameters).open();
    }
}
