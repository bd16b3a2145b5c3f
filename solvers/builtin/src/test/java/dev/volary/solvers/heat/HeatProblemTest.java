// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Preflight.Verdict;
import dev.volary.solver.Residual;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solver.testkit.Solution;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Point Jacobi finds the reference values of docs/explanation/problems.md. */
final class HeatProblemTest {
    /**
     * ‖A⁻¹‖∞ on the unit square (docs/explanation/certification.md, "from residual to error"): turns a residual into a bound of
     * the error.
     */
    private static final double INVERSE_NORM = 0.0737;

    @TestFactory
    Stream<DynamicTest> harmonicPolynomialsAreExactOnEveryDecomposition() {
        return Stream.of(BoundaryValues.values())
                .filter(boundary -> boundary != BoundaryValues.Series)
                .flatMap(boundary -> Stream.of(1, 3, 12)
                        .map(blocks -> DynamicTest.dynamicTest(
                                boundary + " in " + blocks + " blocks", () -> assertExact(boundary, blocks))));
    }

    private static void assertExact(BoundaryValues boundary, int blocks) throws InvalidProblemException {
        int n = 20;
        Model model = open(Map.of("points", n, "boundary", boundary.name()));
        Solution solution = InProcessSolver.open(model, blocks).solve(1e-10, 20_000);
        double bound = INVERSE_NORM * solution.residual().bound() + 1e-15;
        for (int iy = 0; iy < n; iy++) {
            for (int ix = 0; ix < n; ix++) {
                double exact = boundary.at((ix + 1) / (n + 1.0), (iy + 1) / (n + 1.0));
                assertEquals(exact, solution.vector()[iy * n + ix], bound, boundary + " at " + iy + ", " + ix);
            }
        }
    }

    @Test
    void theSeriesConvergesWithTheSquareOfTheGridWidth() throws InvalidProblemException {
        // Points whose coordinates are multiples of 1/4 and the series' values there (docs/explanation/problems.md,
        // "heat on a square").
        double[][] points = {
            {0.5, 0.5, 0.25},
            {0.5, 0.75, 0.540529218260},
            {0.5, 0.25, 0.095414117967},
            {0.25, 0.25, 0.067971668113},
            {0.25, 0.75, 0.432028331887}
        };
        double[] coarse = seriesAt(points, 15);
        double[] middle = seriesAt(points, 31);
        double[] fine = seriesAt(points, 63);
        for (int p = 0; p < points.length; p++) {
            double exact = points[p][2];
            if (exact == 0.25) {
                // By symmetry the centre is the mean of four rotations: exact on every grid.
                assertEquals(exact, fine[p], 1e-8);
                continue;
            }
            double order1 = Math.log((coarse[p] - exact) / (middle[p] - exact)) / Math.log(2);
            double order2 = Math.log((middle[p] - exact) / (fine[p] - exact)) / Math.log(2);
            assertEquals(2, order1, 0.15, "observed order from n = 15 to 31 at point " + p);
            assertEquals(2, order2, 0.05, "observed order from n = 31 to 63 at point " + p);
            assertEquals(exact, fine[p], 4e-4, "value at point " + p);
        }
    }

    private static double[] seriesAt(double[][] points, int n) throws InvalidProblemException {
        Solution solution = InProcessSolver.open(open(Map.of("points", n)), 4).solve(1e-12, 100_000);
        double[] values = new double[points.length];
        for (int p = 0; p < points.length; p++) {
            int ix = (int) Math.round(points[p][0] * (n + 1)) - 1;
            int iy = (int) Math.round(points[p][1] * (n + 1)) - 1;
            values[p] = solution.vector()[iy * n + ix];
        }
        return values;
    }

    @Test
    void severalSweepsOnTheSameHalosReachTheSameSolution() throws InvalidProblemException {
        double[] single = InProcessSolver.open(open(Map.of("points", 20)), 4)
                .solve(1e-10, 20_000)
                .vector();
        double[] inner = InProcessSolver.open(open(Map.of("points", 20, "sweeps", 7)), 4)
                .solve(1e-10, 20_000)
                .vector();
        for (int i = 0; i < single.length; i++) {
            assertEquals(single[i], inner[i], 1e-7);
        }
    }

    @Test
    void oneSweepForAnIterationDoesNotDependOnTheDecomposition() throws InvalidProblemException {
        InProcessSolver whole = InProcessSolver.open(open(Map.of("points", 17)), 1);
        InProcessSolver cut = InProcessSolver.open(open(Map.of("points", 17)), 6);
        for (int i = 0; i < 20; i++) {
            whole.step();
            cut.step();
        }
        assertArrayEquals(whole.vector(), cut.vector());
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (BoundaryValues boundary : BoundaryValues.values()) {
            Model model = open(Map.of("points", 16, "boundary", boundary.name()));
            InProcessSolver.open(model, 2).solve(model.attainableFloor(), 20_000);
        }
    }

    @Test
    void theScaleIsTheLargestBoundaryTerm() throws InvalidProblemException {
        // Corner rows have two neighbors on the boundary, each of value 1, over h² = 1/400.
        assertEquals(800, open(Map.of("points", 19, "boundary", "One")).scale());
        // Only the row beside y = 1 has a nonzero neighbor.
        assertEquals(400, open(Map.of("points", 19, "boundary", "Series")).scale());
    }

    @Test
    void convergenceIsCertifiedWithTheJacobiRate() throws InvalidProblemException {
        Model model = open(Map.of("points", 64));
        Preflight preflight = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Verdict.CERTIFIED, preflight.verdict());
        assertEquals(Math.cos(Math.PI / 65), preflight.upper(), 1e-15);
        assertTrue(preflight.lower() < preflight.upper());
        // docs/explanation/problems.md, "heat on a square": 1971 sweeps for a decade.
        assertEquals(1971, preflight.predictedIterations(0.1));
    }

    @Test
    void theObservedRateIsThePredictedOne() throws InvalidProblemException {
        int n = 16;
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", n, "boundary", "One")), 3);
        for (int i = 0; i < 300; i++) {
            ensemble.step();
        }
        double before = ensemble.residual(ensemble.vector()).norm();
        for (int i = 0; i < 100; i++) {
            ensemble.step();
        }
        double after = ensemble.residual(ensemble.vector()).norm();
        assertEquals(Math.cos(Math.PI / (n + 1)), Math.pow(after / before, 0.01), 1e-4);
    }

    @Test
    void theHintIsTheResidualBeforeTheIteration() throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", 16)), 1);
        // The hint is measured in the first and then in every eighth iteration.
        for (int i = 0; i < 16; i++) {
            ensemble.step();
        }
        double residual = ensemble.residual(ensemble.vector()).norm();
        assertEquals(residual, ensemble.step(), 1e-10 * residual);
    }

    @Test
    void theRoundoffBoundCoversTheDistanceToTheExactResidual() throws InvalidProblemException {
        int n = 6;
        SplittableRandom random = new SplittableRandom(9);
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", n, "boundary", "One")), 2);
        for (int trial = 0; trial < 50; trial++) {
            double[] u = random.doubles((long) n * n, -1, 1).toArray();
            Residual computed = ensemble.residual(u);
            BigDecimal exact = BigDecimal.ZERO;
            for (int iy = 0; iy < n; iy++) {
                for (int ix = 0; ix < n; ix++) {
                    exact = exact.max(exactRow(u, n, iy, ix).abs());
                }
            }
            BigDecimal error = exact.subtract(new BigDecimal(computed.norm())).abs();
            assertTrue(error.compareTo(new BigDecimal(computed.roundoff())) <= 0, computed::toString);
            assertTrue(computed.roundoff() < 1e-12, computed::toString);
        }
    }

    /** (Σ neighbors − 4u)/h² with boundary values of 1, in exact arithmetic. */
    private static BigDecimal exactRow(double[] u, int n, int iy, int ix) {
        BigDecimal sum = new BigDecimal(-4 * u[iy * n + ix]);
        int[][] steps = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
        for (int[] step : steps) {
            int y = iy + step[0];
            int x = ix + step[1];
            boolean inside = y >= 0 && y < n && x >= 0 && x < n;
            sum = sum.add(inside ? new BigDecimal(u[y * n + x]) : BigDecimal.ONE);
        }
        return sum.multiply(BigDecimal.valueOf((n + 1L) * (n + 1L)));
    }

    @Test
    void tooFewPointsAreRefused() {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> open(Map.of("points", 1)));
        assertEquals("points is 1; must be a whole number from 2 to 32768", refused.getMessage());
    }

    @Test
    void aMistypedBoundaryIsRefusedWithTheChoices() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> open(Map.of("boundary", "Cubes")));
        assertEquals(
                "boundary is Cubes; must be one of Series, One, X, Y, XY, X2Y2, Cubic, Cubic2", refused.getMessage());
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("method", "PointJacobi");
        return ProblemUnderTest.of(new HeatProblem(), all).open();
    }
}
