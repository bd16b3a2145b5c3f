// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.MatrixMarketReader;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinearBlockTest {

    @ParameterizedTest
    @EnumSource(LinearMethod.class)
    void iteratingDoesNotAllocate(LinearMethod method) throws Exception {
        double[] b = new double[900];
        Arrays.fill(b, 1);
        RoundRobin solver = new RoundRobin(Matrices.model(Matrices.poisson(30), b, method), 3);
        Halos halos = solver.halosOf(1);
        Block block = solver.block(1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        for (int i = 0; i < 200; i++) {
            block.iterate(halos);
        }
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 0; i < 200; i++) {
            block.iterate(halos);
        }
        long allocated = threads.getThreadAllocatedBytes(self) - before;
        assertTrue(allocated < 200, () -> allocated + " bytes in 200 iterations");
    }

    @Test
    void theHintIsTheLocalResidualBeforeTheSolve() throws Exception {
        double[] b = {3, -5, 1, 2};
        LinearModel model = Matrices.model(Matrices.poisson(2), b, LinearMethod.Direct);
        RoundRobin solver = new RoundRobin(model, 1);
        assertEquals(5, solver.block(0).iterate(solver.halosOf(0)));
        assertEquals(0, solver.block(0).iterate(solver.halosOf(0)), 1e-15);
    }

    @Property(tries = 100, seed = "20261121")
    void theRoundoffBoundCoversTheDistanceToTheExactResidual(
            @ForAll @IntRange(min = 2, max = 60) int n, @ForAll long seed) throws Exception {
        Random random = new Random(seed);
        SparseMatrix matrix = Matrices.dominant(n, 8, 0.9, random);
        double[] x = random.doubles(n, -1, 1).toArray();
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            // Near cancellation, so that rounding dominates.
            for (int k = matrix.rowStart()[i]; k < matrix.rowStart()[i + 1]; k++) {
                b[i] += matrix.values()[k] * x[matrix.columns()[k]];
            }
        }
        LinearModel model = Matrices.model(matrix, b, LinearMethod.PointJacobi);
        RoundRobin solver = new RoundRobin(model, 1);
        Residual residual = solver.block(0).residual(x, solver.halosOf(0));
        double exact = exactResidual(matrix, b, x);
        assertTrue(
                Math.abs(exact - residual.norm()) <= residual.roundoff(),
                () -> residual + " for the exact norm " + exact);
        assertTrue(residual.roundoff() <= 1e-13 * (1 + LinearModel.maxNorm(b)), () -> "loose: " + residual);
    }

    private static double exactResidual(SparseMatrix matrix, double[] b, double[] x) {
        BigDecimal norm = BigDecimal.ZERO;
        for (int i = 0; i < x.length; i++) {
            BigDecimal sum = new BigDecimal(b[i]);
            for (int k = matrix.rowStart()[i]; k < matrix.rowStart()[i + 1]; k++) {
                sum = sum.subtract(new BigDecimal(matrix.values()[k]).multiply(new BigDecimal(x[matrix.columns()[k]])));
            }
            norm = norm.max(sum.abs());
        }
        return norm.doubleValue();
    }

    @Test
    void aResidualOfNotANumberIsNotHidden() throws Exception {
        LinearModel model = Matrices.model(Matrices.poisson(2), new double[] {1, 1, 1, 1}, LinearMethod.PointJacobi);
        RoundRobin solver = new RoundRobin(model, 1);
        Residual residual = solver.block(0).residual(new double[] {0, Double.NaN, 0, 0}, solver.halosOf(0));
        assertTrue(Double.isNaN(residual.norm()));
    }

    @Property(tries = 60, seed = "20261121")
    void factorsSolveRandomSystemsWithPivoting(@ForAll @IntRange(min = 1, max = 150) int n, @ForAll long seed) {
        Random random = new Random(seed);
        // Rows permuted, so that the diagonal is no pivot.
        SparseMatrix matrix = Matrices.dominant(n, 5, 0.5, random);
        double[] x = random.doubles(n, -1, 1).toArray();
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            for (int k = matrix.rowStart()[i]; k < matrix.rowStart()[i + 1]; k++) {
                b[i] += matrix.values()[k] * x[matrix.columns()[k]];
            }
        }
        SparseLu.of(matrix).orElseThrow().solve(b);
        for (int i = 0; i < n; i++) {
            assertEquals(x[i], b[i], 1e-10);
        }
    }

    @Test
    void aFloorLiesBelowWhatIsReachedAndNotFarBelow() throws Exception {
        int n = 40;
        double[] b = new double[n * n];
        Arrays.fill(b, 1);
        LinearModel model = Matrices.model(Matrices.poisson(n), b, LinearMethod.Direct);
        RoundRobin solver = new RoundRobin(model, 1);
        solver.solve(1e-10, 10);
        for (int refinement = 0; refinement < 5; refinement++) {
            solver.block(0).iterate(solver.halosOf(0));
        }
        double reached = solver.residual().bound() / model.scale();
        double floor = model.attainableFloor();
        assertTrue(floor <= reached, () -> "floor " + floor + ", reached " + reached);
        assertTrue(floor >= reached / 20, () -> "floor " + floor + ", reached " + reached);
    }

    @Test
    void theLowerBoundOfTheSolutionHoldsForTheKnownSolution() throws Exception {
        SparseMatrix matrix = MatrixMarketReader.read(Matrices.example("airfoil.mtx.gz"));
        double bound = AttainableFloor.solutionAtLeast(matrix, RightHandSide.Rule.IndexOverN.of(matrix));
        // examples/data/README.md: the largest element is 9.100742180626
        assertTrue(bound <= 9.100742180626, () -> "the bound is " + bound);
        assertTrue(bound >= 9.100742180626 / 4, () -> "the bound is " + bound);
    }
}
