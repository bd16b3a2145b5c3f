// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.CoarseModel;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Preflight.Verdict;
import dev.volary.solver.Problem;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The solutions known exactly are in docs/explanation/problems.md, "Poisson's equation on a cube". */
final class PoissonProblemTest {

    @ParameterizedTest
    @ValueSource(strings = {"Relaxation", "Multigrid"})
    void polynomialsAreReproducedExactly(String method) throws InvalidProblemException {
        int n = 11;
        assertSolution(
                n,
                Map.of("points", n, "f", "Polynomial", "method", method),
                at -> bubble(at[0]) * bubble(at[1]) * bubble(at[2]));
    }

    private static double bubble(double x) {
        return x * (1 - x);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Relaxation", "Multigrid"})
    void sinesAreScaledByTheEigenvalueOfTheScheme(String method) throws InvalidProblemException {
        int n = 10;
        double sine = Math.sin(Math.PI / (2 * (n + 1)));
        double eigenvalue = 12.0 * (n + 1) * (n + 1) * sine * sine;
        double factor = 3 * Math.PI * Math.PI / eigenvalue;
        assertSolution(
                n,
                Map.of("points", n, "f", "Sines", "method", method),
                at -> factor * Math.sin(Math.PI * at[0]) * Math.sin(Math.PI * at[1]) * Math.sin(Math.PI * at[2]));
    }

    private static void assertSolution(int n, Map<String, Object> parameters, ToDoubleFunction<double[]> exact)
            throws InvalidProblemException {
        double[] u =
                InProcessSolver.open(open(parameters), 3).solve(1e-12, 20_000).vector();
        double h = 1.0 / (n + 1);
        for (int i = 0; i < u.length; i++) {
            double[] at = {(i % n + 1) * h, (i / n % n + 1) * h, (i / n / n + 1) * h};
            assertEquals(exact.applyAsDouble(at), u[i], 1e-11);
        }
    }

    @Test
    void bothMethodsHaveTheSameSolution() throws InvalidProblemException {
        double[] relaxed = InProcessSolver.open(open(Map.of("points", 9, "method", "Relaxation")), 4)
                .solve(1e-12, 20_000)
                .vector();
        double[] multigrid = InProcessSolver.open(open(Map.of("points", 9, "method", "Multigrid")), 4)
                .solve(1e-12, 20_000)
                .vector();
        for (int i = 0; i < relaxed.length; i++) {
            assertEquals(relaxed[i], multigrid[i], 1e-12);
        }
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (String f : new String[] {"One", "Sines", "Polynomial"}) {
            Model relaxation = open(Map.of("points", 12, "f", f, "method", "Relaxation"));
            InProcessSolver.open(relaxation, 2).solve(relaxation.attainableFloor(), 5000);
            Model multigrid = RedundantCoarseModel.of(open(Map.of("points", 12, "f", f)));
            InProcessSolver.open(multigrid, 2).solve(multigrid.attainableFloor(), 100);
        }
    }

    @Test
    void theScaleIsTheLargestRightHandSide() throws InvalidProblemException {
        assertEquals(1, open(Map.of("points", 8)).scale());
        assertEquals(6.0 / 16, open(Map.of("points", 7, "f", "Polynomial")).scale(), 1e-15);
        // Even n: no point lies in the middle, the next are at 4/9 and 5/9.
        double q = 20.0 / 81;
        assertEquals(6 * q * q, open(Map.of("points", 8, "f", "Polynomial")).scale(), 1e-15);
    }

    @Test
    void relaxationIsCertifiedWithTheRateOfJacobi() throws InvalidProblemException {
        Model model = open(Map.of("points", 31, "method", "Relaxation"));
        Preflight preflight = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Verdict.CERTIFIED, preflight.verdict());
        assertEquals(Math.cos(Math.PI / 32), preflight.upper(), 2e-15);
    }

    @Test
    void multigridWorksInRounds() throws InvalidProblemException {
        CoarseModel model =
                assertInstanceOf(CoarseModel.class, open(Map.of("points", 31, "method", "Multigrid", "levels", 2)));
        Decomposition decomposition = model.decompose(4);
        CoarseSizes sizes = model.coarse(decomposition);
        int loads = 0;
        for (int b = 0; b < 4; b++) {
            loads += sizes.load(b);
            RoundBlock block = model.block(decomposition, b, Resources.SINGLE);
            assertEquals(Double.POSITIVE_INFINITY, block.reach());
            for (Edge edge : decomposition.incoming(b)) {
                // The corrections of one level follow the values.
                assertTrue(edge.extra() > 0 && edge.extra() < edge.values().size());
            }
        }
        // Together the loads are the coarse grid, 7 × 7 × 7.
        assertEquals(343, loads);
        model.coarseBlock(decomposition, Resources.SINGLE).start();
    }

    @Test
    void moreBlocksGetMoreLevelsWhileTheyAreThickEnough() throws InvalidProblemException {
        assertEquals(15 * 15 * 15, coarsePoints(31, 1));
        assertEquals(31 * 31 * 31, coarsePoints(127, 8), "4h");
        assertEquals(31 * 31 * 31, coarsePoints(127, 64), "8h would need cores of 31 points");
    }

    private static int coarsePoints(int n, int blocks) throws InvalidProblemException {
        CoarseModel model = assertInstanceOf(CoarseModel.class, open(Map.of("points", n, "method", "Multigrid")));
        Decomposition decomposition = model.decompose(blocks);
        int points = 0;
        for (int b = 0; b < blocks; b++) {
            points += model.coarse(decomposition).load(b);
        }
        return points;
    }

    @Test
    void tooManyLevelsAreRefusedWithTheLargestNumber() {
        InvalidProblemException refused = assertThrows(
                InvalidProblemException.class, () -> open(Map.of("points", 15, "method", "Multigrid", "levels", 4)));
        assertEquals(
                "levels is 4, but a grid of 15 × 15 × 15 points can be coarsened 3 times; use 0 to 3",
                refused.getMessage());
    }

    @Test
    void theProblemIsFoundByItsName() {
        assertTrue(ServiceLoader.load(Problem.class).stream()
                .anyMatch(provider -> provider.get().name().equals("poisson3d")));
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new PoissonProblem(), parameters).open();
    }
}
