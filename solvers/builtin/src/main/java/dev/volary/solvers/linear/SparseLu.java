// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.linear.partition.Graph;
import dev.volary.solvers.linear.partition.NestedDissection;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.interfaces.linsol.LinearSolverSparse;
import org.ejml.sparse.FillReducing;
import org.ejml.sparse.csc.factory.LinearSolverFactory_DSCC;

/**
 * A sparse LU factorization with partial pivoting, by EJML, of a matrix permuted by {@link NestedDissection}. Confined to
 * one thread; {@link #solve} does not allocate (EJML's solve works in buffers it keeps; a test watches it).
 */
final class SparseLu {
    private final LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver;
    private final int[] order;
    private final DMatrixRMaj right;
    private final DMatrixRMaj solution;

    private SparseLu(LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver, int[] order) {
        this.solver = solver;
        this.order = order;
        this.right = new DMatrixRMaj(order.length, 1);
        this.solution = new DMatrixRMaj(order.length, 1);
    }

    /** Factorizes a matrix; empty if a pivot is zero. */
    static Optional<SparseLu> of(SparseMatrix matrix) {
        return of(matrix, NestedDissection.order(Graph.of(matrix)));
    }

    /**
     * Factorizes a matrix in a given order; empty if a pivot is zero.
     *
     * @param order of rows and columns
     */
    static Optional<SparseLu> of(SparseMatrix matrix, int[] order) {
        LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver = LinearSolverFactory_DSCC.lu(FillReducing.NONE);
        if (!solver.setA(permutedColumns(matrix, order))) {
            return Optional.empty();
        }
        return Optional.of(new SparseLu(solver, order));
    }

    private static DMatrixSparseCSC permutedColumns(SparseMatrix matrix, int[] order) {
        int n = matrix.size();
        int[] position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        // Compressed rows of the transpose are compressed columns of the matrix.
        SparseMatrix byColumn = matrix.transpose();
        DMatrixSparseCSC permuted = new DMatrixSparseCSC(n, n, matrix.entries());
        int end = 0;
        for (int k = 0; k < n; k++) {
            int column = order[k];
            for (int e = byColumn.rowStart()[column]; e < byColumn.rowStart()[column + 1]; e++) {
                permuted.nz_rows[end] = position[byColumn.columns()[e]];
                permuted.nz_values[end++] = byColumn.values()[e];
            }
            permuted.col_idx[k + 1] = end;
        }
        permuted.nz_length = end;
        permuted.indicesSorted = false;
        return permuted;
    }

    /** Solves in place: {@code vector} is the right-hand side before and the solution afterwards. */
    void solve(double[] vector) {
        for (int k = 0; k < order.length; k++) {
            right.data[k] = vector[order[k]];
        }
        solver.solve(right, solution);
        for (int k = 0; k < order.length; k++) {
            vector[order[k]] = solution.data[k];
        }
    }
}
