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
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import dev.volary.solver.testkit.HaloBuffers;
import dev.volary.solver.testkit.ProblemUnderTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that each keep a copy of the coarse problem, in one thread. */
class RedundantRoundsTest {
    private static final double TOLERANCE = 1e-8;

    /** All blocks of a problem, with halos that the test passes on. */
    private static final class Ensemble {
        private final Model model;
        private final Decomposition decomposition;
        private final List<RedundantCoarseBlock> blocks = new ArrayList<>();
        private final List<HaloBuffers> halos = new ArrayList<>();

        Ensemble(int n, int count) throws InvalidProblemException {
            model = redundant(n);
            decomposition = model.decompose(count);
            for (int b = 0; b < count; b++) {
                blocks.add(open(b));
                halos.add(new HaloBuffers(decomposition.incoming(b)));
            }
            for (int b = 0; b < count; b++) {
                publish(b);
            }
        }

        private RedundantCoarseBlock open(int id) throws InvalidProblemException {
            return assertInstanceOf(RedundantCoarseBlock.class, model.block(decomposition, id, Resources.SINGLE));
        }

        void publish(int from) {
            for (Edge edge : decomposition.outgoing(from)) {
                int k = decomposition.incoming(edge.to()).indexOf(edge);
                blocks.get(from).writeHalo(edge, halos.get(edge.to()).refill(k));
            }
        }

        void iterate(int id) {
            blocks.get(id).iterate(halos.get(id));
            halos.get(id).read();
        }

        /** A round of all blocks but one; −1 for none. */
        void round(int dead) {
            for (int b = 0; b < blocks.size(); b++) {
                if (b != dead) {
                    iterate(b);
                }
            }
            for (int b = 0; b < blocks.size(); b++) {
                if (b != dead) {
                    publish(b);
                }
            }
        }

        /** What a snapshot of this instant would certify, relative to the scale. */
        double certified() {
            List<double[]> cores = new ArrayList<>();
            for (int b = 0; b < blocks.size(); b++) {
                double[] core = new double[decomposition.parts().get(b).core().size()];
                blocks.get(b).copyCore(core);
                cores.add(core);
            }
            double largest = 0;
            for (int b = 0; b < blocks.size(); b++) {
                // A recorded halo holds zeros where loads and corrections would be.
                HaloBuffers recorded = new HaloBuffers(decomposition.incoming(b));
                for (int k = 0; k < recorded.size(); k++) {
                    gather(decomposition.incoming(b).get(k), cores, recorded.refill(k));
                }
                largest = Math.max(
                        largest, blocks.get(b).residual(cores.get(b), recorded).maxNorm());
            }
            return largest / model.scale();
        }

        private void gather(Edge edge, List<double[]> cores, double[] target) {
            long[] owned = decomposition.parts().get(edge.from()).core().indices(decomposition.unknowns());
            long[] wanted = edge.values().indices(decomposition.unknowns());
            for (int i = 0; i < wanted.length; i++) {
                target[i] = cores.get(edge.from())[Arrays.binarySearch(owned, wanted[i])];
            }
        }

        int roundsToTolerance(int most) {
            for (int count = 1; count <= most; count++) {
                round(-1);
                if (certified() <= TOLERANCE) {
                    return count;
                }
            }
            throw new AssertionError("residual " + certified() + " after " + most + " rounds");
        }
    }

    private static Model redundant(int n) throws InvalidProblemException {
        return RedundantCoarseModel.of(
                ProblemUnderTest.of(new PoissonProblem(), Map.of("points", n, "method", "Multigrid"))
                        .open());
    }

    /** As many rounds as with one coarse block (RoundsTest): 7 to 10 for 1e-8. */
    @ParameterizedTest
    @CsvSource({"31, 1, 8", "31, 2, 9", "31, 4, 11", "63, 2, 9", "63, 4, 11", "63, 8, 11"})
    void aFewRoundsReachTheTolerance(int n, int blocks, int most) throws InvalidProblemException {
        int rounds = new Ensemble(n, blocks).roundsToTolerance(most);
        assertTrue(rounds >= 5, () -> "only " + rounds + " rounds: the check is too weak");
    }

    @Test
    void aBlockThatStandsStillDelaysAndNothingElse() throws InvalidProblemException {
        Ensemble ensemble = new Ensemble(31, 4);
        ensemble.round(-1);
        ensemble.round(-1);
        for (int i = 0; i < 10; i++) {
            ensemble.round(2);
        }
        ensemble.roundsToTolerance(14);
    }

    @Test
    void aBlockWithoutACopyIsRestoredFromTheOthersLoads() throws InvalidProblemException {
        Ensemble ensemble = new Ensemble(31, 4);
        for (int i = 0; i < 5; i++) {
            ensemble.round(-1);
        }
        RedundantCoarseBlock replacement = ensemble.open(1);
        ensemble.blocks.set(1, replacement);
        replacement.restoreFromLoads(ensemble.halos.get(1));
        for (int i = 0; i < replacement.healing(false); i++) {
            ensemble.iterate(1);
        }
        ensemble.publish(1);
        ensemble.roundsToTolerance(9);
    }

    @Test
    void aBlockIsRestoredFromItsCore() throws InvalidProblemException {
        Ensemble ensemble = new Ensemble(31, 4);
        for (int i = 0; i < 5; i++) {
            ensemble.round(-1);
        }
        double[] core = new double[ensemble.decomposition.parts().get(1).core().size()];
        ensemble.blocks.get(1).copyCore(core);
        RedundantCoarseBlock replacement = ensemble.open(1);
        ensemble.blocks.set(1, replacement);
        replacement.setCore(core, ensemble.halos.get(1));
        for (int i = 0; i < replacement.healing(true); i++) {
            ensemble.iterate(1);
        }
        ensemble.publish(1);
        ensemble.roundsToTolerance(7);
    }

    @Test
    void everyBlockKnowsTheLargestResidualOfTheRound() throws InvalidProblemException {
        Ensemble ensemble = new Ensemble(31, 4);
        assertEquals(Double.POSITIVE_INFINITY, ensemble.blocks.get(0).roundResidual(ensemble.halos.get(0)));
        ensemble.round(-1);
        double largest = ensemble.blocks.get(0).roundResidual(ensemble.halos.get(0));
        assertTrue(largest > 0 && Double.isFinite(largest));
        for (int b = 1; b < 4; b++) {
            assertEquals(largest, ensemble.blocks.get(b).roundResidual(ensemble.halos.get(b)));
        }
    }

    @Test
    void assumedHalosAreNotTakenForLoads() throws InvalidProblemException {
        Ensemble ensemble = new Ensemble(31, 4);
        HaloBuffers assumed = new HaloBuffers(ensemble.decomposition.incoming(0));
        double hint = ensemble.blocks.get(0).iterate(assumed);
        assertTrue(Double.isFinite(hint));
        assertEquals(Double.POSITIVE_INFINITY, ensemble.blocks.get(0).roundResidual(assumed));
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
        Model relaxation =
                ProblemUnderTest.of(new PoissonProblem(), Map.of("points", 9)).open();
        assertSame(relaxation, RedundantCoarseModel.of(relaxation));
        assertInstanceOf(RedundantCoarseModel.class, redundant(9));
    }
}
