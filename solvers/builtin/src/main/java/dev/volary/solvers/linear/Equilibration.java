// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * Scaling of a matrix: diagonal matrices R and C with R A C of rows and columns whose norms are near 1 (D. Ruiz, RAL-TR-2001-034,
 * 2001). Sums and squares make R and C unique up to a factor; largest magnitudes would leave much open. For a symmetric matrix both
 * are the same, so R A C is symmetric. The factors are powers of two, so scaling is exact.
 *
 * @param rows the diagonal of R
 * @param columns the diagonal of C
 */
@SuppressWarnings("ArrayRecordComponent") // the package shares these arrays; equality of scalings is never asked for
record Equilibration(double[] rows, double[] columns) {
    /** By sums of magnitudes, which undo whatever scales a file has. */
    private static final int SWEEPS = 40;

    /** Then by sums of squares, which suit the factors and the coarse space. */
    private static final int SQUARE_SWEEPS = 12;

    /**
     * @param matrix without a row or a column of zeros
     */
    static Equilibration of(SparseMatrix matrix) {
        int n = matrix.size();
        double[] rows = ones(n);
        double[] columns = ones(n);
        double[] sumsOfRows = new double[n];
        double[] sumsOfColumns = new double[n];
        for (int sweep = 0; sweep < SWEEPS + SQUARE_SWEEPS; sweep++) {
            int power = sweep < SWEEPS ? 1 : 2;
            Arrays.fill(sumsOfRows, 0);
            Arrays.fill(sumsOfColumns, 0);
            for (int row = 0; row < n; row++) {
                for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                    int column = matrix.columns()[k];
                    double magnitude = Math.abs(rows[row] * matrix.values()[k] * columns[column]);
                    sumsOfRows[row] += power == 1 ? magnitude : magnitude * magnitude;
                    sumsOfColumns[column] += power == 1 ? magnitude : magnitude * magnitude;
                }
            }
            for (int i = 0; i < n; i++) {
                rows[i] /= root(sumsOfRows[i], power);
                columns[i] /= root(sumsOfColumns[i], power);
            }
        }
        return new Equilibration(powersOfTwo(rows), powersOfTwo(columns));
    }

    /** The square root of the norm that a sum of powers belongs to. */
    private static double root(double sum, int power) {
        return power == 1 ? Math.sqrt(sum) : Math.sqrt(Math.sqrt(sum));
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] powersOfTwo(double[] factors) {
        return Arrays.stream(factors)
                .map(factor -> Math.scalb(1.0, Math.getExponent(factor)))
                .toArray();
    }

    /** R A C. */
    SparseMatrix apply(SparseMatrix matrix) {
        double[] values = new double[matrix.entries()];
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                values[k] = rows[row] * matrix.values()[k] * columns[matrix.columns()[k]];
            }
        }
        return new SparseMatrix(matrix.rowStart(), matrix.columns(), values);
    }
}
