// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Residual;
import dev.volary.solver.TimeStepping;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The answer of every step is known: the polynomial plus sin(πx) sin(πy)/(1 + κ Δt λ)ˢ with the discrete eigenvalue
 * λ = 8/h² · sin²(πh/2), for sines are eigenvectors of the five-point scheme and implicit Euler divides by 1 + κ Δt λ.
 */
final class ImplicitHeatProblemTest {

    @TestFactory
    Stream<DynamicTest> everyStepIsTheClosedFormOnEveryDecomposition() {
        return Stream.of(SteadyState.values())
                .flatMap(equilibrium -> Stream.of(1, 3, 12)
                        .map(blocks -> DynamicTest.dynamicTest(
                                equilibrium + " in " + blocks + " blocks",
                                () -> assertClosedForm(equilibrium, blocks))));
    }

    private static void assertClosedForm(SteadyState equilibrium, int blocks) throws InvalidProblemException {
        int n = 20;
        double diffusivity = 0.7;
        double length = 0.02;
        InProcessSolver ensemble = InProcessSolver.open(
                open(Map.of(
                        "points", n,
                        "equilibrium", equilibrium.name(),
                        "diffusivity", diffusivity,
                        "stepLength", length,
                        "steps", 10)),
                blocks);
        for (int step = 1; step <= 10; step++) {
            // The inverse of the step's matrix has the norm 1, so a residual of 1e-12 · scale is an error of no more.
            double[] u = ensemble.solve(1e-12, 20_000).vector();
            double factor = Math.pow(1 + diffusivity * length * eigenvalue(n), -step);
            for (int iy = 0; iy < n; iy++) {
                for (int ix = 0; ix < n; ix++) {
                    double exact = equilibrium.at((ix + 1) / (n + 1.0), (iy + 1) / (n + 1.0))
                            + factor * bump((ix + 1) / (n + 1.0), (iy + 1) / (n + 1.0));
                    assertEquals(exact, u[iy * n + ix], 1e-10, "step " + step + " at " + iy + ", " + ix);
                }
            }
            ensemble.commit(u);
        }
    }

    private static double eigenvalue(int n) {
        double sine = Math.sin(Math.PI / (2 * (n + 1)));
        return 8 * (n + 1.0) * (n + 1.0) * sine * sine;
    }

    private static double bump(double x, double y) {
        return Math.sin(Math.PI * x) * Math.sin(Math.PI * y);
    }

    /** exp(−2π²κt) is the exact decay of sin(πx) sin(πy). */
    @Test
    void theErrorFallsWithTheStepLength() throws InvalidProblemException {
        // Grid lines close enough that the error in time dominates by far.
        double coarse = centreError(31, 4);
        double middle = centreError(31, 8);
        double fine = centreError(31, 16);
        double space = fine - (middle - fine);
        assertEquals(1, Math.log((coarse - space) / (middle - space)) / Math.log(2), 0.15);
        assertTrue(fine < middle && middle < coarse, () -> coarse + " " + middle + " " + fine);
    }

    @Test
    void theErrorFallsWithTheSquareOfTheGridWidth() throws InvalidProblemException {
        // The same steps on three grids: differences contain the error in space only.
        double coarse = centre(7, 4);
        double middle = centre(15, 4);
        double fine = centre(31, 4);
        assertEquals(2, Math.log((coarse - middle) / (middle - fine)) / Math.log(2), 0.05);
    }

    private static double centreError(int n, int steps) throws InvalidProblemException {
        return centre(n, steps) - Math.exp(-2 * Math.PI * Math.PI * 0.04);
    }

    /** u(½, ½) at t = 0.04. */
    private static double centre(int n, int steps) throws InvalidProblemException {
        InProcessSolver ensemble =
                InProcessSolver.open(open(Map.of("points", n, "stepLength", 0.04 / steps, "steps", steps)), 2);
        double[] u = new double[0];
        for (int step = 1; step <= steps; step++) {
            u = ensemble.solve(1e-11, 20_000).vector();
            ensemble.commit(u);
        }
        return u[(n / 2) * n + n / 2];
    }

    @Test
    void timeIsCountedInSteps() throws InvalidProblemException {
        TimeStepping time =
                open(Map.of("steps", 5, "stepLength", 0.5)).timeStepping().orElseThrow();
        assertEquals(new TimeStepping(5, 0.5), time);
        assertEquals(2.5, time.time(5));
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (SteadyState equilibrium : SteadyState.values()) {
            Model model = open(Map.of("points", 16, "equilibrium", equilibrium.name(), "stepLength", 0.1));
            InProcessSolver ensemble = InProcessSolver.open(model, 2);
            for (int step = 1; step <= 3; step++) {
                ensemble.commit(ensemble.solve(model.attainableFloor(), 20_000).vector());
            }
        }
    }

    @Test
    void shortStepsConvergeFaster() throws InvalidProblemException {
        // μ = Δt (n + 1)² = 1, so a sweep contracts by 4/5 cos(π/11); and Laplace's rate is the limit of long steps.
        assertEquals(0.8 * Math.cos(Math.PI / 11), rate(1 / 121.0), 1e-14);
        assertEquals(Math.cos(Math.PI / 11), rate(1e6), 1e-8);
    }

    private static double rate(double length) throws InvalidProblemException {
        Model model = open(Map.of("points", 10, "stepLength", length));
        Preflight preflight = model.preflight(model.decompose(3)).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        assertTrue(preflight.lower() < preflight.upper(), preflight::toString);
        return preflight.upper();
    }

    @Test
    void theObservedRateIsThePredictedOne() throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", 10, "stepLength", 0.1)), 3);
        for (int i = 0; i < 100; i++) {
            ensemble.step();
        }
        double before = ensemble.residual(ensemble.vector()).norm();
        for (int i = 0; i < 50; i++) {
            ensemble.step();
        }
        double after = ensemble.residual(ensemble.vector()).norm();
        assertEquals(rate(0.1), Math.pow(after / before, 0.02), 1e-4);
    }

    @Test
    void theHintIsTheResidualBeforeTheIterationAndMeasuredAgainInEachStep() throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(open(Map.of("points", 16)), 1);
        for (int step = 1; step <= 2; step++) {
            for (int i = 0; i < 8; i++) {
                double residual = ensemble.residual(ensemble.vector()).norm();
                double hint = ensemble.step();
                if (i == 0) {
                    assertEquals(residual, hint, 1e-12 * residual);
                }
            }
            ensemble.commit(ensemble.vector());
        }
    }

    @Test
    void theRoundoffBoundCoversTheDistanceToTheExactResidual() throws InvalidProblemException {
        int n = 6;
        double diffusivity = 0.3;
        double length = 0.7;
        SplittableRandom random = new SplittableRandom(9);
        InProcessSolver ensemble = InProcessSolver.open(
                open(Map.of("points", n, "equilibrium", "One", "diffusivity", diffusivity, "stepLength", length)), 2);
        double[] old = random.doubles((long) n * n, -1, 1).toArray();
        ensemble.commit(old);
        for (int trial = 0; trial < 50; trial++) {
            double[] u = random.doubles((long) n * n, -1, 1).toArray();
            Residual computed = ensemble.residual(u);
            BigDecimal exact = BigDecimal.ZERO;
            for (int iy = 0; iy < n; iy++) {
                for (int ix = 0; ix < n; ix++) {
                    exact = exact.max(
                            exactRow(diffusivity, length, u, old, n, iy, ix).abs());
                }
            }
            BigDecimal error = exact.subtract(new BigDecimal(computed.norm())).abs();
            assertTrue(error.compareTo(new BigDecimal(computed.roundoff())) <= 0, computed::toString);
            assertTrue(computed.roundoff() < 1e-12, computed::toString);
        }
    }

    /** μ Σ neighbors + old − (1 + 4μ) u with boundary values of 1 and μ = κ Δt (n + 1)², in exact arithmetic. */
    private static BigDecimal exactRow(
            double diffusivity, double length, double[] u, double[] old, int n, int iy, int ix) {
        BigDecimal sum = BigDecimal.ZERO;
        int[][] steps = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
        for (int[] step : steps) {
            int y = iy + step[0];
            int x = ix + step[1];
            boolean inside = y >= 0 && y < n && x >= 0 && x < n;
            sum = sum.add(inside ? new BigDecimal(u[y * n + x]) : BigDecimal.ONE);
        }
        BigDecimal coupling = new BigDecimal(diffusivity)
                .multiply(new BigDecimal(length))
                .multiply(BigDecimal.valueOf((n + 1L) * (n + 1L)));
        BigDecimal diagonal = BigDecimal.ONE.add(coupling.multiply(BigDecimal.valueOf(4)));
        return coupling.multiply(sum)
                .add(new BigDecimal(old[iy * n + ix]))
                .subtract(diagonal.multiply(new BigDecimal(u[iy * n + ix])));
    }

    @Test
    void aStepLengthOfZeroIsRefused() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> open(Map.of("stepLength", 0)));
        assertEquals("stepLength is 0; must be a number from 1.0E-12 to 1.0E12", refused.getMessage());
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("method", "PointJacobi");
        return ProblemUnderTest.of(new ImplicitHeatProblem(), all).open();
    }
}
