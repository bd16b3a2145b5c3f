// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import dev.volary.solver.StalledIterationException;
import dev.volary.solvers.linear.matrix.MatrixMarketReader;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two-level Schwarz in rounds, all blocks in one thread. */
class LinearRoundsTest {
    private static final double TOLERANCE = 1e-8;

    private static SparseMatrix read(String name) throws InvalidProblemException {
        return MatrixMarketReader.read(Matrices.example(name + ".mtx.gz"));
    }

    // Counts of a prototype with GMRES, 8 parts: airfoil 8, recirc_flow 9.
    @ParameterizedTest
    @CsvSource({
        "airfoil, 1, 1, 1, 1",
        "airfoil, 2, 1, 4, 7",
        "airfoil, 8, 1, 5, 8",
        "airfoil, 16, 1, 5, 8",
        "airfoil, 8, 2, 4, 7",
        "recirc_flow, 1, 1, 1, 1",
        "recirc_flow, 2, 1, 4, 8",
        "recirc_flow, 8, 1, 6, 12",
        "recirc_flow, 16, 1, 6, 12",
        "recirc_flow, 8, 2, 4, 8"
    })
    void aFewRoundsReachTheTolerance(String matrix, int blocks, int overlap, int least, int most)
            throws InvalidProblemException {
        int rounds = new RedundantRounds(Matrices.rounds(read(matrix), overlap, 6), blocks).roundsTo(TOLERANCE, most);
        assertTrue(rounds >= least, () -> "only " + rounds + " rounds: the check is too weak");
    }

    // Prototype: 14 rounds for 4 parts with GMRES, 96 without; 23 and more than 400 for 16.
    @ParameterizedTest
    @CsvSource({"4, 1, 0.3, 16", "16, 1, 0.3, 22", "4, 3, 0.3, 8", "16, 3, 0.45, 14"})
    void elasticityIsSolvedAlthoughItsRoundsAloneDoNotContract(int blocks, int overlap, double poissonRatio, int most)
            throws InvalidProblemException {
        SparseMatrix matrix = Matrices.elasticity(12, 4, poissonRatio);
        new RedundantRounds(Matrices.rounds(matrix, overlap, 6), blocks).roundsTo(TOLERANCE, most);
    }

    @Test
    void scalesOfRowsAndColumnsDoNotMatter() throws InvalidProblemException {
        SparseMatrix matrix = read("airfoil");
        double[] scales = new double[matrix.size()];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = Math.scalb(1.0, 7 * i % 11 - 5);
        }
        SparseMatrix scaled = new Equilibration(scales, scales).apply(matrix);
        assertArrayEquals(
                Equilibration.of(matrix).apply(matrix).values(),
                Equilibration.of(scaled).apply(scaled).values(),
                0.75);
        new RedundantRounds(Matrices.rounds(scaled, 1, 6), 8).roundsTo(TOLERANCE, 12);
    }

    @Test
    void theCertifiedResidualIsThatOfTheEquationsAsGiven() throws InvalidProblemException {
        SparseMatrix matrix = new Equilibration(new double[] {4, 0.125, 1024}, new double[] {4, 0.125, 1024})
                .apply(Matrices.dense(new double[] {4, 1, 0}, new double[] {2, 5, 1}, new double[] {0, 1, 3}));
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(matrix, 1, 1), 3);
        ensemble.round(-1);
        double[] x = new double[3];
        for (int b = 0; b < 3; b++) {
            double[] core = new double[1];
            ensemble.block(b).copyCore(core);
            x[
                            (int) ensemble.decomposition()
                                    .parts()
                                    .get(b)
                                    .core()
                                    .indices(ensemble.decomposition().unknowns())[0]] =
                    core[0];
        }
        double largest = 0;
        for (int row = 0; row < 3; row++) {
            double sum = -(row + 1) / 3.0;
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                sum += matrix.values()[k] * x[matrix.columns()[k]];
            }
            largest = Math.max(largest, Math.abs(sum));
        }
        assertEquals(largest, ensemble.certified(), 1e-15);
    }

    @Test
    void aBlockThatStandsStillDelaysAndNothingElse() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(read("airfoil"), 1, 6), 8);
        ensemble.round(-1);
        ensemble.round(-1);
        for (int i = 0; i < 10; i++) {
            ensemble.round(2);
        }
        ensemble.roundsTo(TOLERANCE, 12);
    }

    /** Without crashes: 7, 10 and 18 rounds. A crash empties the basis, and costs two rounds where iterations alone need not converge. */
    @ParameterizedTest
    @CsvSource({"airfoil, 8, 3, 10", "recirc_flow, 4, 3, 30", "elasticity, 16, 6, 52"})
    void aBlockWithoutACopyIsFoundAgainFromItsNeighbors(String name, int blocks, int every, int most)
            throws InvalidProblemException {
        SparseMatrix matrix = name.equals("elasticity") ? Matrices.elasticity(12, 4, 0.3) : read(name);
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(matrix, 1, 6), blocks);
        int rounds = 0;
        do {
            ensemble.round(-1);
            rounds++;
            if (rounds % every == 0) {
                ensemble.replaceFromLoads(rounds / every % blocks);
            }
        } while (ensemble.certified() > TOLERANCE && rounds < 2 * most);
        assertTrue(rounds <= most, rounds + " rounds");
    }

    /** Iterations alone diverge: with values of different age the residual would grow by orders of magnitude. */
    @Test
    void roundsThatMissABlockLeaveTheVectorOfAnUncertifiedMatrixAlone() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(Matrices.saddlePoint(12), 1, 6), 8);
        for (int i = 0; i < 10; i++) {
            ensemble.round(-1);
        }
        double before = ensemble.certified();
        for (int i = 0; i < 40; i++) {
            ensemble.round(i % 8);
        }
        assertTrue(ensemble.certified() <= 20 * before, ensemble.certified() + " after " + before);
        ensemble.roundsTo(TOLERANCE, 120);
    }

    /** A full basis begins again: before, rounds of this matrix ended without a solution. */
    @Test
    void moreRoundsThanABasisHoldsStillConverge() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(Matrices.centralConvection(30, 60), 1, 2), 8);
        int rounds = ensemble.roundsTo(TOLERANCE, 400);
        assertTrue(rounds > IterateBasis.MOST, "only " + rounds + " rounds: the check is too weak");
    }

    @Test
    void independentScalesOfRowsAndColumnsAreUndone() {
        SparseMatrix matrix = Matrices.poisson(24);
        Random random = new Random(9);
        double[] rows = new double[matrix.size()];
        double[] columns = new double[matrix.size()];
        Arrays.setAll(rows, i -> Math.pow(10, 8 - 16 * random.nextDouble()));
        Arrays.setAll(columns, i -> Math.pow(10, 8 - 16 * random.nextDouble()));
        SparseMatrix scaled = new Equilibration(rows, columns).apply(matrix);
        double[] found = Equilibration.of(scaled).apply(scaled).values();
        double[] expected = Equilibration.of(matrix).apply(matrix).values();
        for (int k = 0; k < found.length; k++) {
            double ratio = found[k] / expected[k];
            assertTrue(ratio > 0.05 && ratio < 20, "entry " + k + " differs by " + ratio);
        }
    }

    @Test
    void aBlockIsRestoredFromItsCopy() throws Exception {
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(read("airfoil"), 1, 6), 8);
        for (int i = 0; i < 5; i++) {
            ensemble.round(-1);
        }
        double before = ensemble.certified();
        ensemble.replaceFromCopy(4);
        assertTrue(ensemble.certified() <= 2 * before, ensemble.certified() + " after " + before);
        ensemble.roundsTo(TOLERANCE, 4);
    }

    @Test
    void everyBlockKnowsTheResidualBeforeTheRound() throws InvalidProblemException {
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(read("airfoil"), 1, 6), 4);
        ensemble.round(-1);
        double certified = ensemble.certified();
        ensemble.round(-1);
        for (int b = 0; b < 4; b++) {
            assertEquals(certified, ensemble.block(b).roundResidual(ensemble.halos(b)), 1e-12);
        }
    }

    @Test
    void roundsThatGainNothingEndWithTheRemedy() throws InvalidProblemException {
        SparseMatrix matrix = Matrices.dominant(900, 5, 40, new Random(3));
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(matrix, 1, 2), 8);
        StalledIterationException stalled =
                assertThrows(StalledIterationException.class, () -> ensemble.roundsTo(TOLERANCE, 1000));
        String message = String.valueOf(stalled.getMessage());
        assertTrue(message.contains("Schwarz, overlap 1, vectors 2") && message.contains("larger overlap"), message);
    }

    @Test
    void aRoundDoesNotAllocateOnceWarm() throws InvalidProblemException {
        ThreadMXBean threads = assertInstanceOf(ThreadMXBean.class, ManagementFactory.getThreadMXBean());
        RedundantRounds ensemble = new RedundantRounds(Matrices.rounds(read("airfoil"), 1, 6), 4);
        long allocated;
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        do {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 50; i++) {
                ensemble.iterate(0);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        } while (allocated > 0 && System.nanoTime() - deadline < 0);
        assertEquals(0, allocated);
    }

    @Test
    void schwarzInRoundsIsTheDefault() throws InvalidProblemException {
        Model model = Matrices.open(Map.of("matrix", "airfoil.mtx.gz"), Matrices::example);
        Decomposition decomposition = model.decompose(4);
        assertEquals(
                "Schwarz, overlap 2, vectors 6", model.method(decomposition).orElseThrow());
        assertInstanceOf(RedundantCoarseBlock.class, model.block(decomposition, 3, Resources.SINGLE));
        assertTrue(model.preflight(decomposition).isEmpty());
    }

    @Test
    void moreBlocksThanRoundsTakeAreSolvedDirectly() throws InvalidProblemException {
        Model model = Matrices.open(Map.of("matrix", "airfoil.mtx.gz"), Matrices::example);
        assertEquals(
                "Direct (Schwarz takes at most 64 blocks)",
                model.method(model.decompose(65)).orElseThrow());
        assertTrue(model.preflight(model.decompose(65)).isPresent());
    }

    @Test
    void aMatrixWhoseSetupIsTooLargeIsSolvedDirectly() {
        int n = 1_000_000;
        int[] start = new int[n + 1];
        Arrays.setAll(start, i -> i);
        int[] columns = new int[n];
        Arrays.setAll(columns, i -> i);
        double[] values = new double[n];
        Arrays.fill(values, 1);
        LinearRoundsModel model = Matrices.rounds(new SparseMatrix(start, columns, values), 1, 6);
        assertTrue(model.objection(4).orElseThrow().contains("1000000 rows in 4 blocks is too large"));
    }

    @Test
    void noAsynchronousGuaranteeIsSaidWhereNoTheoryHolds() throws InvalidProblemException {
        Model model = Matrices.open(Map.of("matrix", "recirc_flow.mtx.gz"), Matrices::example);
        Preflight known = model.preflight(model.decompose(8)).orElseThrow();
        assertEquals(Preflight.Verdict.UNDECIDED, known.verdict());
        assertTrue(known.advice().startsWith("no asynchronous guarantee"), known.advice());
        assertTrue(model.preflight(model.decompose(1)).isEmpty());
    }
}
