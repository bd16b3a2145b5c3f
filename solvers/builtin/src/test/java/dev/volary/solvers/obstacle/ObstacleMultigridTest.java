// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.CoarseModel;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code obstacle3d} with {@code method: Multigrid}, each block with its copy of the coarse problem. */
final class ObstacleMultigridTest {
    private static final double TOLERANCE = 1e-8;

    /** The exchanges of docs/explanation/problems.md, "multigrid in rounds", and one more: there is one between two rounds. */
    @ParameterizedTest
    @CsvSource({
        "Membrane, 63, 1, 1, 9",
        "Membrane, 63, 2, 1, 9",
        "Membrane, 63, 8, 2, 11",
        "Ball, 63, 2, 1, 6",
        "Ball, 63, 8, 2, 9",
        "Membrane, 50, 4, 2, 9",
        "Ball, 33, 8, 3, 10"
    })
    void aFewRoundsReachTheTolerance(String data, int n, int blocks, int levels, int rounds)
            throws InvalidProblemException {
        Model model = open(Map.of("points", n, "data", data, "method", "Multigrid", "levels", levels));
        assertEquals(rounds, new RedundantRounds(model, blocks).roundsTo(TOLERANCE, 30));
    }

    /** The reference values of docs/explanation/problems.md, "obstacle on a cube". */
    @Test
    void theMembraneHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(31, ObstacleData.Membrane, 4, 1e-12);
        assertEquals(8825, Arrays.stream(u).filter(value -> value == -0.3).count());
        assertEquals(-6438.212621690, Arrays.stream(u).sum(), 5e-9);
    }

    @Test
    void theBallHasTheReferenceSolution() throws InvalidProblemException {
        double[] u = solve(31, ObstacleData.Ball, 3, 1e-12);
        assertEquals(2358.3974949, Arrays.stream(u).sum(), 5e-8);
        assertEquals(0.3998157709, u[(15 * 31 + 15) * 31 + 23], 5e-11);
    }

    @ParameterizedTest
    @EnumSource(ObstacleData.class)
    void bothMethodsHaveTheSameSolution(ObstacleData data) throws InvalidProblemException {
        // An even number of points: the last cells of the coarser levels are longer.
        int n = 14;
        double[] relaxed = InProcessSolver.open(open(Map.of("points", n, "data", data.name())), 4)
                .solve(1e-12, 20_000)
                .vector();
        assertEquals(0, distance(relaxed, solve(n, data, 4, 1e-12)), 1e-11);
    }

    private static double distance(double[] u, double[] v) {
        double largest = 0;
        for (int i = 0; i < u.length; i++) {
            largest = Math.max(largest, Math.abs(u[i] - v[i]));
        }
        return largest;
    }

    @ParameterizedTest
    @EnumSource(ObstacleData.class)
    void theResidualIsThatOfTheRelaxation(ObstacleData data) throws InvalidProblemException {
        InProcessSolver relaxed = InProcessSolver.open(open(Map.of("points", 11, "data", data.name())), 1);
        InProcessSolver rounds = InProcessSolver.open(redundant(11, data), 4);
        assertEquals(relaxed.model().scale(), rounds.model().scale());
        assertEquals(relaxed.model().attainableFloor(), rounds.model().attainableFloor());
        SplittableRandom random = new SplittableRandom(5);
        for (int trial = 0; trial < 20; trial++) {
            double[] u = random.doubles(11 * 11 * 11, -0.4, 0.4).toArray();
            assertEquals(relaxed.residual(u).norm(), rounds.residual(u).norm());
            assertEquals(relaxed.residual(u).roundoff(), rounds.residual(u).roundoff());
        }
    }

    @ParameterizedTest
    @EnumSource(ObstacleData.class)
    void theToleranceMayBeAsSmallAsTheAttainableFloor(ObstacleData data) throws InvalidProblemException {
        Model model = redundant(15, data);
        InProcessSolver.open(model, 2).solve(model.attainableFloor(), 100);
    }

    @Test
    void aBlockWithoutACopyIsRestoredFromTheOthersLoads() throws InvalidProblemException {
        RedundantRounds rounds = new RedundantRounds(multigrid(31, ObstacleData.Membrane), 4);
        for (int round = 0; round < 8; round++) {
            rounds.round(-1);
        }
        rounds.replaceFromLoads(1);
        rounds.roundsTo(TOLERANCE, 14);
    }

    @Test
    void aBlockIsRestoredFromItsCopy() throws Exception {
        RedundantRounds rounds = new RedundantRounds(multigrid(31, ObstacleData.Membrane), 4);
        for (int round = 0; round < 8; round++) {
            rounds.round(-1);
        }
        rounds.replaceFromCopy(1);
        rounds.roundsTo(TOLERANCE, 10);
    }

    @Test
    void aBlockThatStandsStillDelaysAndNothingElse() throws InvalidProblemException {
        RedundantRounds rounds = new RedundantRounds(multigrid(31, ObstacleData.Ball), 4);
        rounds.round(-1);
        rounds.round(-1);
        for (int i = 0; i < 10; i++) {
            rounds.round(2);
        }
        rounds.roundsTo(TOLERANCE, 16);
    }

    @Test
    void aGridOfOnePointIsRefused() {
        assertRefused(
                "method is Multigrid, but a grid of 1 × 1 × 1 points cannot be coarsened; use more points, or method"
                        + " Relaxation",
                Map.of("points", 1, "method", "Multigrid"));
    }

    @Test
    void aStepLengthIsRefusedWithMultigrid() {
        assertRefused(
                "gamma is 0.15, but method Multigrid does not use it; leave it out, or use method Relaxation",
                Map.of("points", 15, "method", "Multigrid", "gamma", 0.15));
    }

    @Test
    void levelsAreRefusedWithRelaxation() {
        assertRefused(
                "levels is 1, but method Relaxation does not use it; leave it out, or use method Multigrid",
                Map.of("points", 15, "method", "Relaxation", "levels", 1));
    }

    @Test
    void tooManyLevelsAreRefusedWithTheLargestNumber() {
        assertRefused(
                "levels is 4, but a grid of 15 × 15 × 15 points can be coarsened 3 times; use 0 to 3",
                Map.of("points", 15, "method", "Multigrid", "levels", 4));
    }

    private static void assertRefused(String message, Map<String, Object> parameters) {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> open(parameters));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void moreMemoryIsCountedThanWithoutAnObstacle() throws InvalidProblemException {
        Model relaxation = open(Map.of("points", 31, "method", "Relaxation"));
        Model multigrid = multigrid(31, ObstacleData.Ball);
        long relaxed = relaxation.decompose(1).parts().get(0).bytes();
        long inRounds = multigrid.decompose(1).parts().get(0).bytes();
        assertTrue(inRounds > relaxed + 31L * 31 * 31 * Double.BYTES, () -> inRounds + " and " + relaxed);
    }

    private static double[] solve(int n, ObstacleData data, int blocks, double tolerance)
            throws InvalidProblemException {
        return InProcessSolver.open(redundant(n, data), blocks)
                .solve(tolerance, 100)
                .vector();
    }

    private static Model redundant(int n, ObstacleData data) throws InvalidProblemException {
        return RedundantCoarseModel.of(multigrid(n, data));
    }

    private static CoarseModel multigrid(int n, ObstacleData data) throws InvalidProblemException {
        return assertInstanceOf(
                CoarseModel.class, open(Map.of("points", n, "data", data.name(), "method", "Multigrid")));
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new ObstacleProblem(), parameters).open();
    }
}
