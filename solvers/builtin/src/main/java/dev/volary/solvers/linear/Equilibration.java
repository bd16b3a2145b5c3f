// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * Symmetric scaling of a matrix: D with D A D of rows and columns whose largest magnitude is near 1 (D. Ruiz, RAL-TR-2001-034,
 * 2001). The factors are powers of two, so scaling is exact.
 */
final class Equilibration {
    /** The factors change by the fourth root of the imbalance; few sweeps leave less than a power of two. */
    private static final int SWEEPS = 12;

    private Equilibration() {}

    /** The diagonal of D. */
    static double[] of(SparseMatrix matrix) {
        int n = matrix.size();
        int[] start = matrix.rowStart();
        double[] factors = new double[n];
        Arrays.fill(factors, 1);
        double[] largest = new double[n];
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            Arrays.fill(largest, 0);
            for (int row = 0; row < n; row++) {
                for (int k = start[row]; k < start[row + 1]; k++) {
                    int column = matrix.columns()[k];
                    double magnitude = Math.abs(factors[row] * matrix.values()[k] * factors[column]);
                    largest[row] = Math.max(largest[row], magnitude);
                    largest[column] = Math.max(largest[column], magnitude);
                }
            }
            for (int i = 0; i < n; i++) {
                factors[i] /= Math.sqrt(largest[i]);
            }
        }
        for (int i = 0; i < n; i++) {
            factors[i] = Math.scalb(1.0, Math.getExponent(factors[i]));
        }
        return factors;
    }

    /** D A D. */
    static SparseMatrix apply(double[] factors, SparseMatrix matrix) {
        double[] values = new double[matrix.entries()];
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                values[k] = factors[row] * matrix.values()[k] * factors[matrix.columns()[k]];
            }
        }
        return new SparseMatrix(matrix.rowStart(), matrix.columns(), values);
    }
}
