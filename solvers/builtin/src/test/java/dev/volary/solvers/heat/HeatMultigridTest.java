// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.CoarseModel;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code heat2d} with {@code method: Multigrid}, each block with its copy of the coarse problem. */
final class HeatMultigridTest {

    @ParameterizedTest
    @CsvSource({"Series, 511, 1, 1, 7", "Series, 511, 2, 1, 6", "Series, 511, 16, 2, 7", "Cubic, 100, 4, 1, 4"})
    void aFewRoundsReachTheTolerance(String boundary, int n, int blocks, int levels, int rounds)
            throws InvalidProblemException {
        Model model = open(Map.of("points", n, "boundary", boundary, "method", "Multigrid", "levels", levels));
        assertEquals(rounds, new RedundantRounds(model, blocks).roundsTo(1e-8, 30));
    }

    @ParameterizedTest
    @EnumSource(value = BoundaryValues.class, mode = EnumSource.Mode.EXCLUDE, names = "Series")
    void harmonicPolynomialsAreReproducedExactly(BoundaryValues boundary) throws InvalidProblemException {
        int n = 36;
        double[] u = InProcessSolver.open(redundant(n, boundary), 4)
                .solve(1e-12, 100)
                .vector();
        double h = 1.0 / (n + 1);
        for (int i = 0; i < u.length; i++) {
            assertEquals(boundary.at((i % n + 1) * h, (i / n + 1) * h), u[i], 1e-10);
        }
    }

    @Test
    void bothMethodsHaveTheSameSolution() throws InvalidProblemException {
        int n = 22;
        double[] relaxed = InProcessSolver.open(open(Map.of("points", n)), 3)
                .solve(1e-12, 20_000)
                .vector();
        double[] rounds = InProcessSolver.open(redundant(n, BoundaryValues.Series), 3)
                .solve(1e-12, 100)
                .vector();
        for (int i = 0; i < relaxed.length; i++) {
            assertEquals(relaxed[i], rounds[i], 1e-9);
        }
    }

    @ParameterizedTest
    @EnumSource(BoundaryValues.class)
    void theResidualIsThatOfTheRelaxation(BoundaryValues boundary) throws InvalidProblemException {
        InProcessSolver relaxed = InProcessSolver.open(open(Map.of("points", 21, "boundary", boundary.name())), 1);
        InProcessSolver rounds = InProcessSolver.open(redundant(21, boundary), 6);
        assertEquals(relaxed.model().scale(), rounds.model().scale());
        assertEquals(relaxed.model().attainableFloor(), rounds.model().attainableFloor());
        double[] u = new SplittableRandom(5).doubles(21 * 21, -1, 1).toArray();
        assertEquals(relaxed.residual(u).norm(), rounds.residual(u).norm());
        assertEquals(relaxed.residual(u).roundoff(), rounds.residual(u).roundoff());
    }

    @ParameterizedTest
    @EnumSource(BoundaryValues.class)
    void theToleranceMayBeAsSmallAsTheAttainableFloor(BoundaryValues boundary) throws InvalidProblemException {
        Model model = redundant(64, boundary);
        InProcessSolver.open(model, 2).solve(model.attainableFloor(), 100);
    }

    @Test
    void aRestoredBlockDelaysByFewRounds() throws Exception {
        RedundantRounds rounds = new RedundantRounds(open(Map.of("points", 127, "method", "Multigrid")), 4);
        rounds.round(-1);
        rounds.round(-1);
        rounds.round(-1);
        rounds.replaceFromLoads(1);
        rounds.replaceFromCopy(2);
        rounds.roundsTo(1e-8, 9);
    }

    @Test
    void sweepsAreRefusedWithMultigrid() {
        assertRefused(
                "sweeps is 3, but method Multigrid does not use it; leave it out, or use method PointJacobi",
                Map.of("method", "Multigrid", "sweeps", 3));
    }

    @Test
    void anOverlapIsRefusedWithMultigrid() {
        assertRefused(
                "overlap is 0, but method Multigrid does not use it; leave it out, or use method PointJacobi",
                Map.of("method", "Multigrid", "overlap", 0));
    }

    @Test
    void levelsAreRefusedWithPointJacobi() {
        assertRefused(
                "levels is 2, but method PointJacobi does not use it; leave it out, or use method Multigrid",
                Map.of("method", "PointJacobi", "levels", 2));
    }

    @Test
    void tooManyLevelsAreRefusedWithTheLargestNumber() {
        assertRefused(
                "levels is 5, but a grid of 20 × 20 points can be coarsened 3 times; use 0 to 3",
                Map.of("points", 20, "method", "Multigrid", "levels", 5));
    }

    private static void assertRefused(String message, Map<String, Object> parameters) {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> open(parameters));
        assertEquals(message, refused.getMessage());
    }

    private static Model redundant(int n, BoundaryValues boundary) throws InvalidProblemException {
        return RedundantCoarseModel.of(assertInstanceOf(
                CoarseModel.class, open(Map.of("points", n, "boundary", boundary.name(), "method", "Multigrid"))));
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new HeatProblem(), parameters).open();
    }
}
