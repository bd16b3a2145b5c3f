// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IterateBasisTest {

    private static double[] weights(double[]... steps) {
        IterateBasis basis = new IterateBasis();
        for (int k = 0; k < steps.length; k++) {
            double[] dots = new double[steps.length];
            for (int i = 0; i <= k; i++) {
                dots[i] = dot(steps[k], steps[i]);
            }
            basis.add(dots);
        }
        double[] weights = new double[steps.length];
        basis.weights(weights);
        return weights;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Test
    void theWeightedSumOfStepsIsTheSmallest() {
        // The point of the line through (2, 0) and (0, 1) that is nearest to the origin is (0.4, 0.8).
        assertArrayEquals(new double[] {0.2, 0.8}, weights(new double[] {2, 0}, new double[] {0, 1}), 1e-15);
    }

    @Test
    void aStepThatDependsOnANewerOneHasNoWeight() {
        assertArrayEquals(
                new double[] {0, -0.5, 1.5},
                weights(new double[] {5, 1}, new double[] {3, 1}, new double[] {1, 1}),
                1e-15);
        assertArrayEquals(new double[] {0, 1}, weights(new double[] {3, 3}, new double[] {0, 0}), 0);
    }

    /** Walker and Ni 2011: in exact arithmetic an affine map of n unknowns is solved by n + 1 iterates. */
    @Test
    void anAffineMapThatDoesNotContractIsSolvedByAsManyIteratesAsUnknowns() {
        int n = 6;
        double[][] matrix = new double[n][n];
        Random random = new Random(7);
        for (double[] row : matrix) {
            Arrays.setAll(row, j -> 2 * random.nextGaussian());
        }
        double[][] images = new double[n + 2][];
        double[][] steps = new double[n + 2][];
        double[] x = new double[n];
        for (int k = 0; k < n + 2; k++) {
            images[k] = new double[n];
            steps[k] = new double[n];
            for (int i = 0; i < n; i++) {
                images[k][i] = 1 + dot(matrix[i], x);
                steps[k][i] = images[k][i] - x[i];
            }
            double[] weights = weights(Arrays.copyOf(steps, k + 1));
            assertEquals(1, Arrays.stream(weights).sum(), 1e-12);
            for (int i = 0; i < n; i++) {
                x[i] = 0;
                for (int j = 0; j <= k; j++) {
                    x[i] += weights[j] * images[j][i];
                }
            }
        }
        assertTrue(dot(steps[n + 1], steps[n + 1]) <= 1e-20 * dot(steps[0], steps[0]));
    }
}
