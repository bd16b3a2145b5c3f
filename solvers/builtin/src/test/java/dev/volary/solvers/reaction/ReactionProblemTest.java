// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.GridAxis;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The grid of 10 × 10 points is that of the example cvDiurnal_kry of SUNDIALS. Values with ten digits are solutions of the implicit Euler
 * equations by Newton's method on the whole grid, to a residual of 1e-13 (docs/explanation/problems.md, "advection, diffusion and
 * reaction").
 */
final class ReactionProblemTest {
    private static final double TOLERANCE = 1e-11;
    private static final int N = 10;

    @ParameterizedTest
    @CsvSource({"1", "2", "6", "9"})
    void theImplicitSolutionIsTheReferenceOnEveryDecomposition(int blocks) throws InvalidProblemException {
        InProcessSolver solver = open(Map.of("points", N, "steps", 80, "stepLength", 180), blocks);
        double[] c = advance(solver, 40);
        assertClose(1.0470538828e4, c[at(0, 0, 0)]);
        assertClose(2.9534775298e4, c[at(0, 4, 4)]);
        assertClose(1.1182536985e4, c[at(0, 9, 9)]);
        assertClose(2.5271483968e11, c[at(1, 0, 0)]);
        assertClose(7.1287451138e11, c[at(1, 4, 4)]);
        assertClose(2.6989977046e11, c[at(1, 9, 9)]);
        assertClose(2.0834314697e6, sum(c, 0));
        assertClose(5.0286688107e13, sum(c, 1));
        c = advance(solver, 40);
        assertClose(6.6573048048e6, c[at(0, 0, 0)]);
        assertClose(5.5593186027e6, c[at(0, 4, 4)]);
        assertClose(7.2992775648e6, c[at(0, 9, 9)]);
        assertClose(2.5812412741e11, c[at(1, 0, 0)]);
        assertClose(2.1519297739e11, c[at(1, 4, 4)]);
        assertClose(2.8322565611e11, c[at(1, 9, 9)]);
    }

    @Test
    void shorterStepsGiveTheirReference() throws InvalidProblemException {
        InProcessSolver solver = open(Map.of("points", N, "steps", 240, "stepLength", 60), 4);
        double[] c = advance(solver, 120);
        assertClose(1.0469099073e4, c[at(0, 0, 0)]);
        assertClose(2.9601416206e4, c[at(0, 4, 4)]);
        assertClose(1.1184356084e4, c[at(0, 9, 9)]);
        assertClose(2.5268713759e11, c[at(1, 0, 0)]);
        assertClose(7.1450069437e11, c[at(1, 4, 4)]);
        assertClose(2.6995125343e11, c[at(1, 9, 9)]);
        c = advance(solver, 120);
        assertClose(6.6584316870e6, c[at(0, 0, 0)]);
        assertClose(5.3960622637e6, c[at(0, 4, 4)]);
        assertClose(7.3002972388e6, c[at(0, 9, 9)]);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "8", "27"})
    void theSolutionOnThreeAxesIsTheReference(int blocks) throws InvalidProblemException {
        InProcessSolver solver = open(Map.of("axes", 3, "points", N, "steps", 10, "stepLength", 180), blocks);
        int middle = (4 * N + 4) * N + 4;
        int last = N * N * N - 1;
        double[] c = advance(solver, 1);
        assertClose(1.1503875419e2, c[0]);
        assertClose(8.8679410779e2, c[middle]);
        assertClose(1.1503901836e2, c[last]);
        assertClose(1.2501812652e11, c[last + 1]);
        assertClose(9.6666107586e11, c[last + 1 + middle]);
        assertClose(1.2532739789e11, c[2 * last + 1]);
        assertClose(3.7286604228e5, sum(c, 0));
        assertClose(4.0516660887e14, sum(c, 1));
        c = advance(solver, 9);
        assertClose(1.2521964765e11, c[last + 1]);
        assertClose(9.6851034994e11, c[last + 1 + middle]);
        assertClose(1.2806182235e11, c[2 * last + 1]);
        assertClose(4.0322736795e14, sum(c, 1));
    }

    @Test
    void aProfileThatIsConstantInYStaysSoAndHasTheSolutionOfTwoAxes() throws InvalidProblemException {
        int n = 6;
        InProcessSolver solid =
                open(Map.of("axes", 3, "points", n, "steps", 4, "stepLength", 1800, "profile", "UniformInY"), 12);
        InProcessSolver flat = open(Map.of("points", n, "steps", 4, "stepLength", 1800), 1);
        double[] inSpace = advance(solid, 4);
        double[] inPlane = advance(flat, 4);
        for (int i = 0; i < inSpace.length; i++) {
            int speciesAndLevel = i / (n * n);
            double expected = inPlane[speciesAndLevel * n + i % n];
            assertEquals(expected, inSpace[i], 1e-9 * (expected + ReactionEquation.NEGLIGIBLE), "unknown " + i);
        }
    }

    /**
     * A whole day, every two hours: c₁ and c₂ at (0, 0), (4, 4) and (9, 9). The values are those of the equations that are discrete in
     * space only, by Radau's method with a relative tolerance of 1e-9, and agree with the four digits that cvDiurnal_kry prints.
     * Implicit Euler agrees to first order in the length of a step, its extrapolation from three lengths to third.
     */
    @Test
    void aDayExtrapolatedToShortStepsIsTheSolutionInContinuousTime() throws InvalidProblemException {
        double[][] expected = {
            {1.04683e4, 2.96369e4, 1.11853e4, 2.52673e11, 7.15366e11, 2.69977e11},
            {6.65902e6, 5.31590e6, 7.30081e6, 2.58191e11, 2.05675e11, 2.83286e11},
            {2.66497e7, 1.03652e7, 2.93077e7, 2.99279e11, 1.02829e11, 3.31344e11},
            {8.70214e6, 1.29200e7, 9.65006e6, 3.38037e11, 5.02942e11, 3.75097e11},
            {1.40404e4, 2.02885e4, 1.56091e4, 3.38679e11, 4.89399e11, 3.76518e11},
            {0, 0, 0, 3.38234e11, 1.35516e11, 3.80354e11},
            {0, 0, 0, 3.35818e11, 4.93035e11, 3.86446e11},
            {0, 0, 0, 3.32033e11, 9.64976e11, 3.90901e11},
            {0, 0, 0, 3.31304e11, 8.92178e11, 3.96344e11},
            {0, 0, 0, 3.32974e11, 6.18628e11, 4.03886e11},
            {0, 0, 0, 3.33443e11, 6.66905e11, 4.12027e11},
            {0, 0, 0, 3.35180e11, 9.10622e11, 4.16253e11}
        };
        double[][] coarse = day(1152);
        double[][] middle = day(2304);
        double[][] fine = day(4608);
        for (int row = 0; row < expected.length; row++) {
            for (int k = 0; k < expected[row].length; k++) {
                double extrapolated = (coarse[row][k] - 6 * middle[row][k] + 8 * fine[row][k]) / 3;
                assertEquals(
                        expected[row][k],
                        extrapolated,
                        1e-4 * expected[row][k] + 1e-5,
                        "value " + k + " after " + 2 * (row + 1) + " hours");
            }
        }
    }

    private static double[][] day(int steps) throws InvalidProblemException {
        InProcessSolver solver = open(Map.of("points", N, "steps", steps, "stepLength", 86_400.0 / steps), 1);
        double[][] rows = new double[12][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = corners(advance(solver, steps / rows.length));
        }
        return rows;
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (double length : new double[] {1, 180, 7200}) {
            Model model = model(Map.of("points", 8, "steps", 4, "stepLength", length));
            InProcessSolver solver = InProcessSolver.open(model, 3);
            for (int step = 0; step < 4; step++) {
                solver.commit(solver.solve(model.attainableFloor(), 200).vector());
            }
        }
    }

    @Test
    void blocksOfOnePointConvergeAtLeastAsFastAsCertified() throws InvalidProblemException {
        Model model = model(Map.of("points", 6, "steps", 1, "stepLength", 3000));
        InProcessSolver solver = InProcessSolver.open(model, 36);
        Preflight known = model.preflight(solver.decomposition()).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, known.verdict());
        for (int i = 0; i < 4; i++) {
            solver.step();
        }
        double before = solver.residual(solver.vector()).norm();
        for (int i = 0; i < 6; i++) {
            solver.step();
        }
        double rate = Math.pow(solver.residual(solver.vector()).norm() / before, 1 / 6.0);
        assertTrue(rate <= known.upper() && rate > 0.1 * known.upper(), () -> rate + ", certified " + known.upper());
    }

    @Test
    void strongWindOnAFineGridIsNotCertified() throws InvalidProblemException {
        // Δt V/h = 600 · 1e-3 · 99/20 ≈ 3.
        Model model = model(Map.of("points", 100, "stepLength", 600));
        Preflight known = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Preflight.Verdict.UNDECIDED, known.verdict());
        assertEquals("use a shorter stepLength or fewer points", known.advice());
        InProcessSolver solver = InProcessSolver.open(model, 4);
        solver.solve(1e-8, 60);
    }

    @Test
    void theRoundoffBoundCoversTheDistanceToTheExactResidual() throws InvalidProblemException {
        int n = 4;
        ReactionEquation equation = new ReactionEquation(2, n, 900, InitialProfile.Bump);
        InProcessSolver solver = open(Map.of("points", n, "steps", 3, "stepLength", 900), 2);
        SplittableRandom random = new SplittableRandom(9);
        double[] old = concentrations(random, n);
        solver.commit(old);
        for (int trial = 0; trial < 20; trial++) {
            double[] c = concentrations(random, n);
            Residual computed = solver.residual(c);
            BigDecimal exact = ExactReactionRows.largestResidual(equation, DiurnalChemistry.at(1800), n, c, old);
            BigDecimal error = exact.subtract(new BigDecimal(computed.norm())).abs();
            assertTrue(error.compareTo(new BigDecimal(computed.roundoff())) <= 0, computed::toString);
        }
    }

    private static double[] concentrations(SplittableRandom random, int n) {
        double[] c = new double[2 * n * n];
        Arrays.setAll(c, i -> (i < n * n ? 1e7 : 1e12) * random.nextDouble(-0.1, 1));
        return c;
    }

    @Test
    void theUnknownsAreTheSpeciesOnTheGrid() throws InvalidProblemException {
        Model model = model(Map.of("axes", 3, "points", 5));
        assertEquals(Shape.of(2, 5, 5, 5), model.unknowns());
        assertEquals(
                List.of(
                        GridAxis.components("species"),
                        new GridAxis("z", 30, 5, "km"),
                        new GridAxis("y", 0, 5, "km"),
                        new GridAxis("x", 0, 5, "km")),
                model.axes());
        assertEquals("1/cm^3", model.unit());
        assertEquals(List.of("species", "z", "x"), names(model(Map.of("points", 5))));
    }

    private static List<String> names(Model model) {
        return model.axes().stream().map(GridAxis::name).toList();
    }

    @Test
    void aProfileWithoutItsAxisIsRefused() {
        assertEquals(
                "profile is UniformInY, but there is no y on 2 axes; use axes 3, or profile Bump",
                assertThrows(InvalidProblemException.class, () -> model(Map.of("profile", "UniformInY")))
                        .getMessage());
        assertEquals(
                "points is 1; must be a whole number from 2 to 4096",
                assertThrows(InvalidProblemException.class, () -> model(Map.of("points", 1)))
                        .getMessage());
    }

    private static double[] corners(double[] c) {
        return new double[] {
            c[at(0, 0, 0)], c[at(0, 4, 4)], c[at(0, 9, 9)], c[at(1, 0, 0)], c[at(1, 4, 4)], c[at(1, 9, 9)]
        };
    }

    private static double[] advance(InProcessSolver solver, int steps) {
        double[] c = {};
        for (int step = 0; step < steps; step++) {
            c = solver.solve(TOLERANCE, 60).vector();
            solver.commit(c);
        }
        return c;
    }

    private static int at(int species, int level, int column) {
        return (species * N + level) * N + column;
    }

    private static double sum(double[] c, int species) {
        int half = c.length / 2;
        return Arrays.stream(c, species * half, (species + 1) * half).sum();
    }

    private static void assertClose(double expected, double actual) {
        assertEquals(expected, actual, 1e-8 * expected);
    }

    private static InProcessSolver open(Map<String, Object> parameters, int blocks) throws InvalidProblemException {
        return InProcessSolver.open(model(parameters), blocks);
    }

    private static Model model(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new ReactionProblem(), parameters).open();
    }
}
