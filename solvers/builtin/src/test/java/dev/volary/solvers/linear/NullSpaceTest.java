// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.multigrid.RedundantRounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Systems whose solution is unique up to constants. */
class NullSpaceTest {
    private static final double TOLERANCE = 1e-10;
    private static final int N = 24;

    /** Conductances between neighbors of n × n points, from 1/8 to 8; some points are connected with ground. */
    private static SparseMatrix network(int n, int grounded) {
        Random random = new Random(7);
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int i = 0; i < n * n; i++) {
            rows.add(new HashMap<>(Map.of(i, i < grounded ? 1.0 : 0.0)));
        }
        for (int i = 0; i < n * n; i++) {
            if (i % n < n - 1) {
                connect(rows, i, i + 1, Math.scalb(1.0, random.nextInt(-3, 4)));
            }
            if (i + n < n * n) {
                connect(rows, i, i + n, Math.scalb(1.0, random.nextInt(-3, 4)));
            }
        }
        return Matrices.of(rows);
    }

    private static void connect(List<Map<Integer, Double>> rows, int i, int j, double conductance) {
        rows.get(i).merge(i, conductance, Double::sum);
        rows.get(j).merge(j, conductance, Double::sum);
        rows.get(i).merge(j, -conductance, Double::sum);
        rows.get(j).merge(i, -conductance, Double::sum);
    }

    /** Two matrices that share no unknown. */
    private static SparseMatrix sideBySide(SparseMatrix first, SparseMatrix second) {
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (SparseMatrix matrix : List.of(first, second)) {
            int shift = rows.size();
            for (int row = 0; row < matrix.size(); row++) {
                Map<Integer, Double> entries = new HashMap<>();
                for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                    entries.put(shift + matrix.columns()[k], matrix.values()[k]);
                }
                rows.add(entries);
            }
        }
        return Matrices.of(rows);
    }

    private static double[] image(SparseMatrix matrix, double[] x) {
        double[] b = new double[x.length];
        for (int row = 0; row < b.length; row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                b[row] += matrix.values()[k] * x[matrix.columns()[k]];
            }
        }
        return b;
    }

    private static double[] solution(int n) {
        Random random = new Random(11);
        return random.doubles(n, -1, 1).toArray();
    }

    private static LinearModel pinned(SparseMatrix matrix, double[] b, LinearMethod method)
            throws InvalidProblemException {
        return Matrices.model(matrix, b, method).by(PinnedSystem.of("a.mtx", "b.txt", matrix, b));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "4, 14", "8, 16", "16, 18"})
    void aPureNeumannProblemIsSolvedInRounds(int blocks, int most) throws InvalidProblemException {
        SparseMatrix matrix = network(N, 0);
        double[] b = image(matrix, solution(matrix.size()));
        LinearModel model = pinned(matrix, b, LinearMethod.Direct);
        new RedundantRounds(new LinearRoundsModel(model, 1, 6), blocks).roundsTo(TOLERANCE, most);
    }

    @ParameterizedTest
    @CsvSource({"Direct, 1", "Direct, 5", "GaussSeidel, 5", "PointJacobi, 5"})
    void relaxationFindsTheSolutionUpToAConstant(LinearMethod method, int blocks) throws InvalidProblemException {
        SparseMatrix matrix = network(8, 0);
        double[] x = solution(matrix.size());
        LinearModel model = pinned(matrix, image(matrix, x), method);
        RoundRobin solver = new RoundRobin(model, blocks);
        solver.solve(1e-12, 100_000);
        double[] found = solver.vector();
        double shift = found[0] - x[0];
        for (int i = 0; i < x.length; i++) {
            assertEquals(x[i] + shift, found[i], 1e-8, "unknown " + i);
        }
        assertTrue(Arrays.stream(found).anyMatch(value -> value == 0), "no unknown is zero");
    }

    @Test
    void everyPartWithoutGroundHasAConstantOfItsOwn() throws InvalidProblemException {
        SparseMatrix matrix = sideBySide(network(6, 0), sideBySide(network(5, 3), network(7, 0)));
        double[] x = solution(matrix.size());
        LinearModel model = pinned(matrix, image(matrix, x), LinearMethod.Direct);
        model.selfCheck();
        RoundRobin solver = new RoundRobin(model, 3);
        solver.solve(1e-12, 100_000);
        double[] found = solver.vector();
        for (int i = 0; i < x.length; i++) {
            double shift = i < 36 ? found[0] - x[0] : i < 61 ? 0 : found[61] - x[61];
            assertEquals(x[i] + shift, found[i], 1e-8, "unknown " + i);
        }
    }

    /** No vector has a smaller residual than the mean of b, whichever row is left out. */
    @ParameterizedTest
    @CsvSource({"1", "4"})
    void whatRoundingLeftOfTheSumOfTheRightHandSideIsInTheResidual(int blocks) throws InvalidProblemException {
        SparseMatrix matrix = network(N, 0);
        double[] b = image(matrix, solution(matrix.size()));
        double mean = 1e-8;
        for (int i = 0; i < b.length; i++) {
            b[i] += i % 2 == 0 ? 2 * mean : 0;
        }
        LinearModel model = pinned(matrix, b, LinearMethod.Direct);
        assertEquals(mean / model.scale(), model.attainableFloor(), 1e-6 * mean / model.scale());
        RedundantRounds ensemble = new RedundantRounds(new LinearRoundsModel(model, 1, 6), blocks);
        for (int i = 0; i < 30; i++) {
            ensemble.round(-1);
        }
        assertEquals(mean, ensemble.certified() * model.scale(), 1e-3 * mean);
    }

    @Test
    void aRightHandSideThatDoesNotSumToZeroIsRefused() {
        SparseMatrix matrix = network(4, 0);
        double[] b = new double[16];
        Arrays.fill(b, 0.5);
        assertFault(
                matrix, b, "b.txt", "sums to 8.0 over all unknowns", "no x solves A x = b", "subtract the mean, 0.5");
        double[] part = new double[32];
        part[16] = 1;
        assertFault(
                sideBySide(network(4, 1), matrix),
                part,
                "the 16 unknowns that are connected with unknown 17",
                "0.0625");
    }

    @Test
    void aMatrixWithoutThatNullSpaceIsRefused() {
        double[] b = {1, -1};
        SparseMatrix regular = Matrices.dense(new double[] {2, -1}, new double[] {-1, 1});
        assertFault(regular, b, "nullSpace is Constants", "no connected rows of a.mtx all sum to zero", "remove it");
        SparseMatrix flow = Matrices.dense(new double[] {1, -1}, new double[] {-7, 7});
        assertFault(flow, b, "nullSpace is Constants", "column 1 of a.mtx", "fix one unknown");
    }

    private static void assertFault(SparseMatrix matrix, double[] b, String... parts) {
        String message = String.valueOf(
                assertThrows(InvalidProblemException.class, () -> PinnedSystem.of("a.mtx", "b.txt", matrix, b))
                        .getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), () -> message + " lacks " + part);
        }
    }
}
