// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.CoarseModel;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.HaloBuffers;
import dev.volary.solver.testkit.InProcessSolver;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solver.testkit.Solution;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code heat2d-implicit} with {@code method: Multigrid}, each block with its copy of the coarse problem. */
final class ImplicitHeatMultigridTest {

    /**
     * One more than the exchanges of docs/explanation/problems.md, "multigrid in rounds", or fewer: the shorter a step, the better
     * is the guess from which it starts.
     */
    @ParameterizedTest
    @CsvSource({
        "511, 16, 1, 0.1, 7",
        "511, 16, 2, 0.1, 11",
        "511, 16, 2, 1e-5, 2",
        "100, 4, 2, 0.01, 8",
        "100, 4, 1, 1e-8, 1"
    })
    void aFewRoundsSolveEveryStep(int n, int blocks, int levels, double stepLength, int most)
            throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(
                redundant(Map.of("points", n, "stepLength", stepLength, "levels", levels)), blocks);
        for (int step = 1; step <= 3; step++) {
            Solution solved = ensemble.solve(1e-8, 30);
            assertTrue(solved.iterations() <= most, "step " + step + ": " + solved.iterations());
            ensemble.commit(solved.vector());
        }
    }

    /** As for point Jacobi: the polynomial plus sin(πx) sin(πy)/(1 + κ Δt λ)ˢ. */
    @ParameterizedTest
    @CsvSource({"Zero, 1", "Cubic, 4", "One, 12"})
    void everyStepIsTheClosedForm(SteadyState equilibrium, int blocks) throws InvalidProblemException {
        int n = 30;
        InProcessSolver ensemble = InProcessSolver.open(
                redundant(
                        Map.of("points", n, "equilibrium", equilibrium.name(), "diffusivity", 0.7, "stepLength", 0.02)),
                blocks);
        double sine = Math.sin(Math.PI / (2 * (n + 1)));
        double eigenvalue = 8 * (n + 1.0) * (n + 1.0) * sine * sine;
        for (int step = 1; step <= 10; step++) {
            double[] u = ensemble.solve(1e-12, 40).vector();
            double factor = Math.pow(1 + 0.7 * 0.02 * eigenvalue, -step);
            for (int i = 0; i < u.length; i++) {
                double x = (i % n + 1) / (n + 1.0);
                double y = (i / n + 1) / (n + 1.0);
                double exact = equilibrium.at(x, y) + factor * Math.sin(Math.PI * x) * Math.sin(Math.PI * y);
                assertEquals(exact, u[i], 1e-10, "step " + step + " at " + x + ", " + y);
            }
            ensemble.commit(u);
        }
    }

    @ParameterizedTest
    @EnumSource(SteadyState.class)
    void theResidualIsThatOfTheRelaxationInEveryStep(SteadyState equilibrium) throws InvalidProblemException {
        Map<String, Object> parameters = Map.of("points", 21, "equilibrium", equilibrium.name());
        InProcessSolver relaxed = InProcessSolver.open(open(parameters), 1);
        InProcessSolver rounds = InProcessSolver.open(redundant(parameters), 6);
        assertEquals(relaxed.model().scale(), rounds.model().scale());
        assertEquals(relaxed.model().attainableFloor(), rounds.model().attainableFloor());
        assertEquals(relaxed.model().timeStepping(), rounds.model().timeStepping());
        SplittableRandom random = new SplittableRandom(5);
        for (int step = 1; step <= 3; step++) {
            double[] u = random.doubles(21 * 21, -1, 1).toArray();
            assertEquals(relaxed.residual(u).norm(), rounds.residual(u).norm());
            assertEquals(relaxed.residual(u).roundoff(), rounds.residual(u).roundoff());
            relaxed.commit(u);
            rounds.commit(u);
        }
    }

    @Test
    void theToleranceMayBeAsSmallAsTheAttainableFloor() throws InvalidProblemException {
        for (String length : new String[] {"1e-6", "0.1", "1e4"}) {
            Model model = redundant(Map.of("points", 48, "equilibrium", "Cubic2", "stepLength", length));
            InProcessSolver ensemble = InProcessSolver.open(model, 4);
            for (int step = 1; step <= 3; step++) {
                ensemble.commit(ensemble.solve(model.attainableFloor(), 40).vector());
            }
        }
    }

    /** Without a copy it has the coarse solution of the first step; with one that of none. The loads of the others put it right. */
    @ParameterizedTest
    @CsvSource({"1, 0.01", "2, 0.01", "1, 1", "2, 1"})
    void replacedBlocksCatchUpInTheStep(int levels, double stepLength) throws Exception {
        RedundantRounds rounds = new RedundantRounds(
                open(Map.of(
                        "points",
                        63,
                        "equilibrium",
                        "Cubic",
                        "method",
                        "Multigrid",
                        "levels",
                        levels,
                        "stepLength",
                        stepLength)),
                4);
        for (int step = 1; step <= 3; step++) {
            rounds.roundsTo(1e-8, 12);
            rounds.commit();
        }
        rounds.round(-1);
        rounds.round(-1);
        rounds.replaceFromCommit(1);
        rounds.replaceFromCopy(2);
        rounds.roundsTo(1e-8, 14);
        rounds.commit();
        rounds.roundsTo(1e-8, 12);
    }

    @Test
    void nothingOfTheLastStepIsTakenForARound() throws InvalidProblemException {
        InProcessSolver ensemble = InProcessSolver.open(redundant(Map.of("points", 31)), 2);
        RedundantCoarseBlock block = assertInstanceOf(RedundantCoarseBlock.class, ensemble.block(0));
        double[] u = ensemble.solve(1e-8, 30).vector();
        assertTrue(Double.isFinite(block.roundResidual(ensemble.halos(0))));
        ensemble.commit(u);
        assertEquals(
                Double.POSITIVE_INFINITY,
                block.roundResidual(new HaloBuffers(ensemble.decomposition().incoming(0))));
    }

    @Test
    void sweepsAreRefusedWithMultigrid() {
        assertRefused(
                "sweeps is 3, but method Multigrid does not use it; leave it out, or use method PointJacobi",
                Map.of("method", "Multigrid", "sweeps", 3));
    }

    @Test
    void levelsAreRefusedWithPointJacobi() {
        assertRefused(
                "levels is 2, but method PointJacobi does not use it; leave it out, or use method Multigrid",
                Map.of("method", "PointJacobi", "levels", 2));
    }

    private static void assertRefused(String message, Map<String, Object> parameters) {
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> open(parameters));
        assertEquals(message, refused.getMessage());
    }

    private static Model redundant(Map<String, Object> parameters) throws InvalidProblemException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("method", "Multigrid");
        return RedundantCoarseModel.of(assertInstanceOf(CoarseModel.class, open(all)));
    }

    private static Model open(Map<String, Object> parameters) throws InvalidProblemException {
        return ProblemUnderTest.of(new ImplicitHeatProblem(), parameters).open();
    }
}
