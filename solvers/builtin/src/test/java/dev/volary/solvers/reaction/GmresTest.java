// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class GmresTest {
    private static final int N = 24;
    private final double[][] matrix = new double[N][N];
    private final double[] solution = new double[N];
    private final double[] rightSide = new double[N];
    private int products;

    /** Not symmetric, with eigenvalues around 4. */
    GmresTest() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                matrix[i][j] = random.nextDouble(-0.4, 0.4) + (i == j ? 4 : 0);
            }
            solution[i] = random.nextDouble(-1, 1);
        }
        multiply(solution, rightSide);
        products = 0;
    }

    private void multiply(double[] x, double[] target) {
        products++;
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) {
                sum += matrix[i][j] * x[j];
            }
            target[i] = sum;
        }
    }

    @Test
    void withAsManyVectorsAsUnknownsTheSolutionIsExact() {
        double[] x = new double[N];
        new Gmres(N, N).solve(this::multiply, rightSide, x, 1e-14, 1);
        assertArrayEquals(solution, x, 1e-12);
        assertTrue(products <= N, () -> products + " products");
    }

    @Test
    void restartsReachTheSameSolution() {
        double[] x = new double[N];
        new Gmres(N, 4).solve(this::multiply, rightSide, x, 1e-13, 100);
        assertArrayEquals(solution, x, 1e-12);
    }

    @Test
    void theResidualFallsByTheFactorAndNotMuchFurther() {
        double[] x = new double[N];
        new Gmres(N, N).solve(this::multiply, rightSide, x, 1e-3, 1);
        double[] product = new double[N];
        multiply(x, product);
        double reached = distance(product, rightSide) / distance(new double[N], rightSide);
        assertTrue(reached <= 1e-3 && reached > 1e-6, () -> "the residual fell to " + reached);
    }

    @Test
    void theCyclesAreLimited() {
        new Gmres(N, 2).solve(this::multiply, rightSide, new double[N], 1e-13, 3);
        // Two for each filling of the basis, one for each residual between them.
        assertTrue(products == 8, () -> products + " products");
    }

    @Test
    void zeroOrNotFiniteRightSidesGiveZero() {
        for (double value : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
            double[] b = new double[N];
            b[3] = value;
            double[] x = solution.clone();
            new Gmres(N, 4).solve(this::multiply, b, x, 1e-3, 5);
            assertArrayEquals(new double[N], x);
        }
    }

    private static double distance(double[] v, double[] w) {
        double sum = 0;
        for (int i = 0; i < v.length; i++) {
            sum += (v[i] - w[i]) * (v[i] - w[i]);
        }
        return Math.sqrt(sum);
    }
}
