// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

/**
 * A square sparse matrix in compressed rows, columns ascending within a row. Rows, columns and offsets are 32-bit: at most
 * 2³¹ − 9 unknowns and as many stored entries.
 *
 * <p>Arrays are not copied and must not be changed.
 *
 * @param rowStart {@code n + 1} offsets into {@code columns} and {@code values}
 * @param columns column of each entry
 * @param values value of each entry
 */
@SuppressWarnings("ArrayRecordComponent") // the package shares these arrays; equality of matrices is never asked for
public record SparseMatrix(int[] rowStart, int[] columns, double[] values) {

    /** Largest number of unknowns or entries: what one Java array holds. */
    public static final int MOST = Integer.MAX_VALUE - 8;

    /** Number of rows and of columns. */
    public int size() {
        return rowStart.length - 1;
    }

    /** Number of stored entries. */
    public int entries() {
        return rowStart[size()];
    }

    /** The diagonal; zero where none is stored. */
    public double[] diagonal() {
        double[] diagonal = new double[size()];
        for (int row = 0; row < size(); row++) {
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                if (columns[k] == row) {
                    diagonal[row] = values[k];
                }
            }
        }
        return diagonal;
    }

    /** The transposed matrix. */
    public SparseMatrix transpose() {
        int n = size();
        int[] start = new int[n + 1];
        for (int k = 0; k < entries(); k++) {
            start[columns[k] + 1]++;
        }
        for (int row = 0; row < n; row++) {
            start[row + 1] += start[row];
        }
        int[] next = start.clone();
        int[] transposedColumns = new int[entries()];
        double[] transposedValues = new double[entries()];
        for (int row = 0; row < n; row++) {
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                int slot = next[columns[k]]++;
                transposedColumns[slot] = row;
                transposedValues[slot] = values[k];
            }
        }
        return new SparseMatrix(start, transposedColumns, transposedValues);
    }
}
