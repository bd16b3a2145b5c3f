// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Preflight.Verdict;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The reference values of docs/explanation/problems.md, "obstacle on a cube"; those with more digits are from the data page
 * beside it.
 */
final class ObstacleProblemTest {
    /** Far below the digits given: the error is at most 0.0562 ‖r‖∞ on the unit cube, 16 times that on the large. */
    private static final double TOLERANCE = 1e-13;

    @Test
    void theMembraneOnFifteenPointsHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(15, "Membrane", 4);
        assertEquals(1215, active(u, 15, ObstacleData.Membrane));
        assertEquals(-788.5814464438, Arrays.stream(u).sum(), 5e-10);
        assertEquals(14.19478482139, euclidean(u), 5e-11);
        assertEquals(-0.277413111256, u[at(15, 2, 8, 8)], 1e-12);
        assertEquals(-0.213319517291, u[at(15, 2, 2, 8)], 1e-12);
        assertEquals(-0.157225711139, u[at(15, 2, 2, 2)], 1e-12);
        assertEquals(-0.3, u[at(15, 8, 8, 8)]);
    }

    @Test
    void theMembraneOnThirtyOnePointsHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(31, "Membrane", 2);
        assertEquals(8825, active(u, 31, ObstacleData.Membrane));
        assertEquals(-6438.212621690, Arrays.stream(u).sum(), 5e-9);
        assertEquals(40.22225522658, euclidean(u), 5e-11);
        assertEquals(-0.277599053105, u[at(31, 4, 16, 16)], 1e-12);
        assertEquals(-0.213801537764, u[at(31, 4, 4, 16)], 1e-12);
        assertEquals(-0.159086572029, u[at(31, 4, 4, 4)], 1e-12);
    }

    @Test
    void theBallOnFifteenPointsHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(15, "Ball", 8);
        assertEquals(171, active(u, 15, ObstacleData.Ball));
        // Given to eight decimals, the last not rounded.
        assertEquals(316.10533308, Arrays.stream(u).sum(), 1e-8);
        assertEquals(8.97e-3, maxErrorOfBall(u, 15), 5e-6);
    }

    @Test
    void theBallOnThirtyOnePointsHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(31, "Ball", 3);
        assertEquals(1213, active(u, 31, ObstacleData.Ball));
        assertEquals(2358.3974949, Arrays.stream(u).sum(), 5e-8);
        // (1, 0, 0) is the grid point 24 of 32 along x, 16 along the others.
        assertEquals(0.3998157709, u[at(31, 24, 16, 16)], 5e-11);
        assertEquals(4.38e-3, maxErrorOfBall(u, 31), 5e-6);
    }

    @Test
    void synchronousProjectedJacobiTakesTheReferenceNumberOfIterations() throws InvalidProblemException {
        // From 0 to a step of 1e-11 (docs/explanation/problems.md, "obstacle on a cube").
        assertEquals(171, iterationsToStep(15, 1e-11));
        assertEquals(652, iterationsToStep(31, 1e-11));
        assertEquals(91, iterationsToStep(15, 1e-6));
        assertEquals(330, iterationsToStep(31, 1e-6));
    }

    private static int iterationsToStep(int n, double step) throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", n)), 2);
        double[] before = ensemble.vector();
        for (int iterations = 1; iterations < 2000; iterations++) {
            ensemble.step();
            double[] after = ensemble.vector();
            double change = 0;
            for (int i = 0; i < after.length; i++) {
                change = Math.max(change, Math.abs(after[i] - before[i]));
            }
            if (change < step) {
                return iterations;
            }
            before = after;
        }
        throw new AssertionError("no step below " + step);
    }

    @Test
    void aSmallerStepLengthReachesTheSameSolution() throws InvalidProblemException {
        double[] u = InProcessSolver.open(open(Map.of("points", 15, "gamma", "0.1")), 2)
                .solve(1e-11, 5000)
                .vector();
        assertEquals(-788.5814464438, Arrays.stream(u).sum(), 1e-7);
    }

    @Test
    void theSolutionSatisfiesTheComplementarity() throws InvalidProblemException {
        double[] u = solve(15, "Membrane", 2);
        for (double value : u) {
            assertTrue(value >= -0.3 && value <= 0, () -> "u is " + value);
        }
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (String data : new String[] {"Membrane", "Ball"}) {
            Model model = open(Map.of("points", 15, "data", data));
            InProcessSolver.open(model, 2).solve(model.attainableFloor(), 5000);
        }
    }

    @Test
    void theScaleCountsTheLoadAndTheBoundaryTerms() throws InvalidProblemException {
        assertEquals(20, open(Map.of("points", 15)).scale());
        // h = 1/4: in the corner rows three boundary neighbors at (±2, ±1.75, ±1.75) and its permutations.
        double r = Math.sqrt(4 + 2 * 1.75 * 1.75);
        double corner = 3 * (0.8005886212490549 / r - 0.4002943106245275) * 16;
        double face = (0.8005886212490549 / 2 - 0.4002943106245275) * 16;
        assertEquals(0, face, 1e-14);
        assertEquals(
                Math.abs(corner), open(Map.of("points", 15, "data", "Ball")).scale(), 1e-12);
    }

    @Test
    void convergenceIsCertifiedWithTheRateOfProjectedJacobi() throws InvalidProblemException {
        Model model = open(Map.of("points", 31));
        Preflight preflight = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Verdict.CERTIFIED, preflight.verdict());
        assertEquals(Math.cos(Math.PI / 32), preflight.upper(), 2e-15);
    }

    @Test
    void aStepLengthBeyondTheCertifiedRangeIsRefusedWithTheRange() {
        // 1/(3(1 + cos π/32)) = 0.16706924…
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> open(Map.of("points", 31, "gamma", 0.1671)));
        assertEquals(
                "gamma is 0.1671, but asynchronous projected Richardson converges for n = 31 only between 0 and "
                        + 1 / (3 * (1 + Math.cos(Math.PI / 32))) + "; use 0.16666666666666666, which is the fastest",
                refused.getMessage());
        assertThrows(InvalidProblemException.class, () -> open(Map.of("points", 31, "gamma", 0)));
    }

    @Test
    void aStepLengthJustWithinTheCertifiedRangeIsAccepted() throws InvalidProblemException {
        Model model = open(Map.of("points", 31, "gamma", 0.1670));
        Preflight preflight = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Verdict.CERTIFIED, preflight.verdict());
        // 6·0.167·(1 + cos π/32) − 1
        assertEquals(0.9991751, preflight.upper(), 1e-6);
    }

    private static double[] solve(int n, String data, int blocks) throws InvalidProblemException {
        Model model = open(Map.of("points", n, "data", data));
        return InProcessSolver.open(model, blocks)
                .solve(Math.max(TOLERANCE, model.attainableFloor()), 5000)
                .vector();
    }

    /** Index of the point with the given numbers of grid widths from the low corner. */
    private static int at(int n, int x, int y, int z) {
        return ((z - 1) * n + y - 1) * n + x - 1;
    }

    private static long active(double[] u, int n, ObstacleData data) {
        long count = 0;
        for (int i = 0; i < u.length; i++) {
            double phi = data.obstacle(
                    data.coordinate(i % n, n), data.coordinate(i / n % n, n), data.coordinate(i / n / n, n));
            count += u[i] == phi ? 1 : 0;
        }
        return count;
    }

    private static double maxErrorOfBall(double[] u, int n) {
        double max = 0;
        for (int i = 0; i < u.length; i++) {
            double x = ObstacleData.Ball.coordinate(i % n, n);
            double y = ObstacleData.Ball.coordinate(i / n % n, n);
            double z = ObstacleData.Ball.coordinate(i / n / n, n);
            double r = Math.sqrt(x * x + y * y + z * z);
            double exact = r < 0.7892441190408084 ? Math.sqrt(1 - r * r) : 0.8005886212490549 / r - 0.4002943106245275;
            max = Math.max(max, Math.abs(u[i] - exact));
        }
        return max;
    }

    private static double euclidean(double[] u) {
        return Math.sqrt(Arrays.stream(u).map(value -> value * value).sum());
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("method", "Relaxation");
        return ProblemUnderTest.of(new ObstacleProblem(), all).open();
    }
}
