// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.Optional;

/** The exact solve on one patch of a scaled matrix, of which only the core is kept (restricted additive Schwarz). */
final class PatchSolver {
    /** Error of a known solution, above which the factors say nothing. */
    private static final double INACCURATE = 1e-3;

    /** Added to the diagonal of a singular patch, whose rows have sums of magnitudes near 1. */
    private static final double SHIFT = 1e-4;

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
        SparseMatrix restricted = restrict(scaled, rows);
        return SparseLu.of(restricted)
                .filter(lu -> isAccurate(lu, restricted))
                .or(() -> SparseLu.of(shifted(restricted)))
                .map(lu -> new PatchSolver(rows, patches.cores()[block], lu));
    }

    /** Whether the solution of a system whose solution is known is found again. */
    private static boolean isAccurate(SparseLu lu, SparseMatrix matrix) {
        double[] sums = new double[matrix.size()];
        for (int row = 0; row < sums.length; row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                sums[row] += matrix.values()[k];
            }
        }
        lu.solve(sums);
        return Arrays.stream(sums).allMatch(value -> Math.abs(value - 1) <= INACCURATE);
    }

    /** The matrix with a larger diagonal: a solver of a regular matrix whose patch is singular only has to be near the inverse. */
    private static SparseMatrix shifted(SparseMatrix matrix) {
        int n = matrix.size();
        int[] start = new int[n + 1];
        int[] columns = new int[matrix.entries() + n];
        double[] values = new double[matrix.entries() + n];
        int end = 0;
        for (int row = 0; row < n; row++) {
            boolean isShifted = false;
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                if (!isShifted && matrix.columns()[k] >= row) {
                    columns[end] = row;
                    values[end++] = SHIFT;
                    isShifted = true;
                }
                if (matrix.columns()[k] == row) {
                    values[end - 1] += matrix.values()[k];
                } else {
                    columns[end] = matrix.columns()[k];
                    values[end++] = matrix.values()[k];
                }
            }
            if (!isShifted) {
                columns[end] = row;
                values[end++] = SHIFT;
            }
            start[row + 1] = end;
        }
        return new SparseMatrix(start, columns, values);
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
