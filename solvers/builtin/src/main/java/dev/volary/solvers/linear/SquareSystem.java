// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * The equations of a linear system in the order that the rounds use: as given, or permuted if the diagonal has zeros and the pattern is
 * not symmetric. The unknowns keep their order, so the solution and the maximum norm of the residual are those of the file.
 *
 * @param matrix with its rows in this order
 * @param right the right-hand side in the same order
 */
@SuppressWarnings("ArrayRecordComponent") // equality of systems is never asked for
record SquareSystem(SparseMatrix matrix, double[] right) {

    /**
     * Orders the equations.
     *
     * @param source the matrix file, for messages
     * @param matrix without a row or column of zeros
     * @throws InvalidProblemException if the matrix is structurally singular
     */
    static SquareSystem of(String source, SparseMatrix matrix, double[] right) throws InvalidProblemException {
        if (!hasZeroDiagonal(matrix)) {
            return new SquareSystem(matrix, right);
        }
        int[] rowOf = StructuralRank.rowsOfColumns(Equilibration.of(matrix).apply(matrix));
        long rank = Arrays.stream(rowOf).filter(row -> row >= 0).count();
        if (rank < matrix.size()) {
            throw new InvalidProblemException(
                    source,
                    "is structurally singular: only " + rank + " of its " + matrix.size()
                            + " rows can be matched with a nonzero entry in a column of their own",
                    "add the missing equations or entries");
        }
        return isSymmetric(matrix) ? new SquareSystem(matrix, right) : permuted(matrix, right, rowOf);
    }

    /** Whether a diagonal entry is zero or missing. */
    static boolean hasZeroDiagonal(SparseMatrix matrix) {
        return Arrays.stream(matrix.diagonal()).anyMatch(entry -> entry == 0);
    }

    /** Whether the pattern of stored entries is symmetric. */
    private static boolean isSymmetric(SparseMatrix matrix) {
        SparseMatrix transposed = matrix.transpose();
        return Arrays.equals(matrix.rowStart(), transposed.rowStart())
                && Arrays.equals(matrix.columns(), transposed.columns());
    }

    private static SquareSystem permuted(SparseMatrix matrix, double[] right, int[] rowOf) {
        int[] start = new int[rowOf.length + 1];
        int[] columns = new int[matrix.entries()];
        double[] values = new double[matrix.entries()];
        double[] permuted = new double[right.length];
        int end = 0;
        for (int i = 0; i < rowOf.length; i++) {
            int from = matrix.rowStart()[rowOf[i]];
            int length = matrix.rowStart()[rowOf[i] + 1] - from;
            System.arraycopy(matrix.columns(), from, columns, end, length);
            System.arraycopy(matrix.values(), from, values, end, length);
            end += length;
            start[i + 1] = end;
            permuted[i] = right[rowOf[i]];
        }
        return new SquareSystem(new SparseMatrix(start, columns, values), permuted);
    }
}
