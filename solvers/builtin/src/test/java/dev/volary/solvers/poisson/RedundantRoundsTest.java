// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.testkit.HaloBuffers;
import dev.volary.solver.testkit.ProblemUnderTest;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that each keep a copy of the coarse problem, in one thread. */
class RedundantRoundsTest {
    private static final double TOLERANCE = 1e-8;

    private static Model redundant(int n) throws InvalidProblemException {
        return RedundantCoarseModel.of(multigrid(n));
    }

    private static Model multigrid(int n) throws InvalidProblemException {
        return ProblemUnderTest.of(new PoissonProblem(), Map.of("points", n, "method", "Multigrid"))
                .open();
    }

    /** As many rounds as with one coarse block (RoundsTest): 7 to 10 for 1e-8. */
    @ParameterizedTest
    @CsvSource({"31, 1, 8", "31, 2, 9", "31, 4, 11", "63, 2, 9", "63, 4, 11", "63, 8, 11"})
    void aFewRoundsReachTheTolerance(int n, int blocks, int most) throws InvalidProblemException {
        int rounds = new RedundantRounds(multigrid(n), blocks).roundsTo(TOLERANCE, most);
        assertTrue(rounds >= 5, () -> "only " + rounds + " rounds: the check is too weak");
    }

    @Test
    void aBlockThatStandsStillDelaysAndNothingElse() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(multigrid(31), 4);
        ensemble.round(-1);
        ensemble.round(-1);
        for (int i = 0; i < 10; i++) {
            ensemble.round(2);
        }
        ensemble.roundsTo(TOLERANCE, 14);
    }

    @Test
    void aBlockWithoutACopyIsRestoredFromTheOthersLoads() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(multigrid(31), 4);
        for (int i = 0; i < 5; i++) {
            ensemble.round(-1);
        }
        ensemble.replaceFromLoads(1);
        ensemble.roundsTo(TOLERANCE, 9);
    }

    @Test
    void aBlockIsRestoredFromItsCopy() throws Exception {
        RedundantRounds ensemble = new RedundantRounds(multigrid(31), 4);
        for (int i = 0; i < 5; i++) {
            ensemble.round(-1);
        }
        ensemble.replaceFromCopy(1);
        ensemble.roundsTo(TOLERANCE, 7);
    }

    @Test
    void everyBlockKnowsTheLargestResidualOfTheRound() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(multigrid(31), 4);
        assertEquals(Double.POSITIVE_INFINITY, ensemble.block(0).roundResidual(ensemble.halos(0)));
        ensemble.round(-1);
        double largest = ensemble.block(0).roundResidual(ensemble.halos(0));
        assertTrue(largest > 0 && Double.isFinite(largest));
        for (int b = 1; b < 4; b++) {
            assertEquals(largest, ensemble.block(b).roundResidual(ensemble.halos(b)));
        }
    }

    @Test
    void assumedHalosAreNotTakenForLoads() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(multigrid(31), 4);
        HaloBuffers assumed = new HaloBuffers(ensemble.decomposition().incoming(0));
        double hint = ensemble.block(0).iterate(assumed);
        assertTrue(Double.isFinite(hint));
        assertEquals(Double.POSITIVE_INFINITY, ensemble.block(0).roundResidual(assumed));
    }

    @Test
    void everyPairOfBlocksHasAnEdgeThatCarriesTheLoad() throws InvalidProblemException {
        Decomposition decomposition = redundant(63).decompose(9);
        assertEquals(9 * 8, decomposition.edges().size());
        for (Edge edge : decomposition.edges()) {
            assertTrue(edge.values().size() >= 1);
            assertTrue(edge.extra() > 2, "sign and residual alone");
        }
    }

    @Test
    void moreBlocksThanAllPairsCanServeAreRefused() throws InvalidProblemException {
        Model model = redundant(127);
        InvalidProblemException refused = assertThrows(InvalidProblemException.class, () -> model.decompose(65));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("65") && message.contains("at most 64"), message);
        assertEquals(64, model.decompose(64).blocks());
    }

    @Test
    void otherModelsStayAsTheyAre() throws InvalidProblemException {
        Model relaxation = ProblemUnderTest.of(new PoissonProblem(), Map.of("points", 9, "method", "Relaxation"))
                .open();
        assertSame(relaxation, RedundantCoarseModel.of(relaxation));
        assertInstanceOf(RedundantCoarseModel.class, redundant(9));
    }
}
