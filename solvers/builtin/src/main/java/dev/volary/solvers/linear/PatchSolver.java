// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.Optional;

/** The exact solve on one patch of a scaled matrix, of which only the core is kept (restricted additive Schwarz). */
final class PatchSolver {
    private final int[] rows;
    private final int core;
    private final SparseLu factors;
    private final double[] work;

    private PatchSolver(int[] rows, int core, SparseLu factors) {
        this.rows = rows;
        this.core = core;
        this.factors = factors;
        work = new double[rows.length];
    }

    /** Opens the solver of one block. */
    @FunctionalInterface
    interface Factory {
        PatchSolver open(int block) throws InvalidProblemException;
    }

    /** Factorizes a patch; empty if it is singular. */
    static Optional<PatchSolver> of(SparseMatrix scaled, Patches patches, int block) {
        int[] rows = patches.rows()[block];
        return SparseLu.of(restrict(scaled, rows)).map(lu -> new PatchSolver(rows, patches.cores()[block], lu));
    }

    private static SparseMatrix restrict(SparseMatrix matrix, int[] rows) {
        int[] position = new int[matrix.size()];
        Arrays.fill(position, -1);
        int most = 0;
        for (int i = 0; i < rows.length; i++) {
            position[rows[i]] = i;
            most += matrix.rowStart()[rows[i] + 1] - matrix.rowStart()[rows[i]];
        }
        int[] start = new int[rows.length + 1];
        int[] columns = new int[most];
        double[] values = new double[most];
        int end = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int k = matrix.rowStart()[rows[i]]; k < matrix.rowStart()[rows[i] + 1]; k++) {
                int column = position[matrix.columns()[k]];
                if (column >= 0) {
                    columns[end] = column;
                    values[end++] = matrix.values()[k];
                }
            }
            start[i + 1] = end;
        }
        // Transposing twice sorts every row.
        return new SparseMatrix(start, columns, values).transpose().transpose();
    }

    /** Replaces a right-hand side on the patch by the solution. */
    void solve(double[] vector) {
        factors.solve(vector);
    }

    /** Solves for the part of a global vector on the patch and subtracts the solution from another one on the core. */
    void subtractFromCore(double[] residual, double[] target) {
        for (int i = 0; i < rows.length; i++) {
            work[i] = residual[rows[i]];
        }
        factors.solve(work);
        for (int i = 0; i < core; i++) {
            target[rows[i]] -= work[i];
        }
    }
}
