// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solvers.linear.matrix.MatrixMarketReader;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConvergenceCertificateTest {

    @Test
    void airfoilIsCertifiedForPointRelaxationWithItsKnownRadius() throws Exception {
        Preflight preflight = of("airfoil.mtx.gz", "PointJacobi", 4);
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        // examples/data/README.md: ρ = 0.974694; 200 sweeps from w = 1 come to within 5e-4 from above
        assertEquals(0.974694, preflight.upper(), 1e-3);
        assertTrue(preflight.upper() >= 0.9746935, () -> "the upper bound is " + preflight.upper());
        assertTrue(preflight.lower() <= 0.9746945, () -> "the lower bound is " + preflight.lower());
    }

    @Test
    void recirculatingFlowIsRefutedForPointRelaxationWithNumbersAndAProposal() throws Exception {
        Preflight preflight = of("recirc_flow.mtx.gz", "PointJacobi", 2);
        assertEquals(Preflight.Verdict.REFUTED, preflight.verdict());
        // examples/data/README.md: ρ = 1.677153
        assertEquals(1.677153, preflight.lower(), 1e-5);
        assertTrue(
                preflight.advice().contains("method: Direct with blocks: 1, which is certified"), preflight.advice());
        assertTrue(preflight.advice().contains("acceptRisk: true"), preflight.advice());
    }

    @Test
    void oneBlockSolvedDirectlyNeedsNoContraction() throws Exception {
        Preflight preflight = of("recirc_flow.mtx.gz", "Direct", 1);
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        assertEquals(0, preflight.upper());
    }

    @ParameterizedTest
    @CsvSource({"GaussSeidel, 1", "GaussSeidel, 5", "Direct, 1"})
    void theBlockBoundOfMagnitudesLiesAboveTheExactOneAndBelowThePointBound(String method, int sweeps)
            throws Exception {
        SparseMatrix matrix = MatrixMarketReader.read(Matrices.example("airfoil.mtx.gz"));
        Model model = Matrices.open("airfoil.mtx.gz", method, sweeps);
        var decomposition = model.decompose(4);
        RelaxationBounds bounds = new RelaxationBounds(matrix);
        var exact = bounds.exact(decomposition, LinearMethod.valueOf(method), sweeps)
                .orElseThrow();
        var magnitudes = bounds.ofBlocks(decomposition, LinearMethod.valueOf(method), sweeps);
        assertTrue(exact.lower() <= magnitudes.upper(), exact + " " + magnitudes);
        assertTrue(magnitudes.upper() < bounds.ofPoints().upper(), () -> "the bound is " + magnitudes);
    }

    /**
     * docs/explanation/asynchronous-iteration.md, "pre flight check": SPD, synchronous Jacobi converges, ρ(|B|) = 1.5, an
     * adversarial schedule diverges.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void theConferenceMatrixCounterexampleIsRefuted(int blocks) throws Exception {
        double[][] conference = {
            {0, 1, 1, 1, 1, 1},
            {1, 0, 1, -1, -1, 1},
            {1, 1, 0, 1, -1, -1},
            {1, -1, 1, 0, 1, -1},
            {1, -1, -1, 1, 0, 1},
            {1, 1, -1, -1, 1, 0}
        };
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                conference[i][j] *= 0.3;
            }
            conference[i][i] = 1;
        }
        LinearModel model = Matrices.model(Matrices.dense(conference), ones(6), LinearMethod.PointJacobi);
        Preflight preflight = model.preflight(model.decompose(blocks)).orElseThrow();
        assertEquals(Preflight.Verdict.REFUTED, preflight.verdict());
        assertEquals(1.5, preflight.lower(), 1e-12);
    }

    @Test
    void poissonIsCertifiedWithTheFactorOfJacobi() throws Exception {
        int n = 10;
        LinearModel model = Matrices.model(Matrices.poisson(n), ones(n * n), LinearMethod.PointJacobi);
        Preflight preflight = model.preflight(model.decompose(4)).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        // docs/explanation/problems.md, "heat on a square": ρ = cos(π/(n + 1))
        assertEquals(Math.cos(Math.PI / (n + 1)), preflight.upper(), 1e-6);
        assertEquals("", preflight.advice());
    }

    @ParameterizedTest
    @EnumSource(LinearMethod.class)
    void dominantRowsBoundTheFactorByTheirRatio(LinearMethod method) throws Exception {
        // docs/explanation/asynchronous-iteration.md, "pre flight check": row ratio 0.9 ⇒ α ≤ 0.9.
        SparseMatrix matrix = Matrices.dominant(300, 6, 0.9, new Random(7));
        LinearModel model = Matrices.model(matrix, ones(300), method);
        Preflight preflight = model.preflight(model.decompose(5)).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        assertTrue(preflight.upper() <= 0.9 + 1e-12, () -> "the bound is " + preflight.upper());
        assertTrue(preflight.predictedIterations(1e-6) <= 132, () -> "the bound is " + preflight.upper());
    }

    @Test
    void aSystemTooLargeForTheExactMatrixIsStillCertifiedForItsBlocks() throws Exception {
        int n = 64;
        LinearModel model = Matrices.model(Matrices.poisson(n), ones(n * n), LinearMethod.Direct);
        var decomposition = model.decompose(2);
        assertTrue(new RelaxationBounds(Matrices.poisson(n))
                .exact(decomposition, LinearMethod.Direct, 1)
                .isEmpty());
        Preflight preflight = model.preflight(decomposition).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
    }

    @Test
    void decoupledRowsDoNotHideARadiusAboveOne() throws Exception {
        SparseMatrix matrix = Matrices.dense(
                new double[] {1, 0, 0, 0}, new double[] {3, 1, 2, 0}, new double[] {0, 1, 1, 0}, new double[] {
                    0, 0, 5, 1
                });
        LinearModel model = Matrices.model(matrix, ones(4), LinearMethod.PointJacobi);
        // The two coupled rows alone have ρ(|B|) = √2.
        Preflight preflight = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Math.sqrt(2), preflight.lower(), 1e-6);
        assertEquals(Preflight.Verdict.REFUTED, preflight.verdict());
    }

    @Test
    void aRadiusOfExactlyOneStaysUndecidedAndIsReportedSo() throws Exception {
        SparseMatrix matrix = Matrices.dense(new double[] {2, -2}, new double[] {-3, 3});
        LinearModel model = Matrices.model(matrix, new double[] {1, 2}, LinearMethod.PointJacobi);
        Preflight preflight = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Preflight.Verdict.UNDECIDED, preflight.verdict());
        assertTrue(preflight.advice().startsWith("undecided after 200 sweeps"), preflight.advice());
    }

    @ParameterizedTest
    @EnumSource(LinearMethod.class)
    void aChainTooLongForTwoHundredSweepsIsCertifiedByItsDominance(LinearMethod method) throws Exception {
        int n = 3000;
        List<Map<Integer, Double>> chain = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            chain.add(new HashMap<>(Map.of(i, 2.0)));
            if (i > 0) {
                chain.get(i).put(i - 1, -1.0);
                chain.get(i - 1).put(i, -1.0);
            }
        }
        LinearModel model = Matrices.model(Matrices.of(chain), ones(n), method);
        Preflight preflight = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Preflight.Verdict.CERTIFIED, preflight.verdict());
        assertTrue(preflight.advice().contains("diagonal dominance"), preflight.advice());
    }

    /** 2 on the diagonal and −1.01 beside it: not dominant, and too long a chain for few sweeps to say more. */
    @Test
    void aLargeSystemIsSweptLessOftenAndTheVerdictSaysHowOften() throws Exception {
        int n = 1_000_000;
        int[] start = new int[n + 1];
        int[] columns = new int[3 * n];
        double[] values = new double[3 * n];
        int end = 0;
        for (int row = 0; row < n; row++) {
            for (int column = Math.max(0, row - 1); column <= Math.min(n - 1, row + 1); column++) {
                columns[end] = column;
                values[end++] = column == row ? 2 : -1.01;
            }
            start[row + 1] = end;
        }
        SparseMatrix matrix = new SparseMatrix(start, Arrays.copyOf(columns, end), Arrays.copyOf(values, end));
        LinearModel model = Matrices.model(matrix, ones(n), LinearMethod.GaussSeidel);
        Preflight preflight = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Preflight.Verdict.UNDECIDED, preflight.verdict());
        // 200 million entries may be visited, and there are three in a row: 66 sweeps instead of 200.
        assertTrue(preflight.advice().startsWith("undecided after 66 sweeps"), preflight.advice());
    }

    @Test
    void magnitudesThatOverflowLeaveTheVerdictOpen() throws Exception {
        int n = 3000;
        List<Map<Integer, Double>> growing = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            growing.add(i == 0 ? Map.of(0, 1.0, n - 1, 1.0) : Map.of(i, 1.0, i - 1, 2.0));
        }
        // One forward sweep doubles from row to row, up to 2^1500 in a block.
        LinearModel model = Matrices.model(Matrices.of(growing), ones(n), LinearMethod.GaussSeidel);
        Preflight preflight = model.preflight(model.decompose(2)).orElseThrow();
        assertEquals(Preflight.Verdict.UNDECIDED, preflight.verdict());
        assertEquals(Double.POSITIVE_INFINITY, preflight.upper());
    }

    @Test
    void dominanceNeedsAPathToAStrictlyDominantRow() {
        double[] first = {2, -2, 0, 0};
        double[] second = {-3, 3, 0, 0};
        double[] third = {0, 0, 1, -1};
        double[] fourth = {0, 0, 1, 2};
        assertTrue(WeaklyChainedDominance.holds(Matrices.dense(new double[] {1, -1}, new double[] {1, 2})));
        assertFalse(WeaklyChainedDominance.holds(Matrices.dense(first, second, third, fourth)));
        assertFalse(WeaklyChainedDominance.holds(Matrices.dense(new double[] {1, -1.5}, new double[] {0, 2})));
    }

    @Test
    void aDeficitThatAPlainSumLosesIsStillSeen() {
        // 0.75 = 0.5 + 0.25 exactly; the 1e-17 beside them is lost by a plain sum.
        assertFalse(WeaklyChainedDominance.holds(Matrices.dense(
                new double[] {0.75, -0.5, -0.25, -1e-17},
                new double[] {0, 2, 1, 0},
                new double[] {0, 1, 2, 0},
                new double[] {0, 0, 1, 2})));
    }

    private static Preflight of(String name, String method, int blocks) throws Exception {
        Model model = Matrices.open(name, method, 1);
        return model.preflight(model.decompose(blocks)).orElseThrow();
    }

    private static double[] ones(int n) {
        double[] b = new double[n];
        Arrays.fill(b, 1);
        return b;
    }
}
