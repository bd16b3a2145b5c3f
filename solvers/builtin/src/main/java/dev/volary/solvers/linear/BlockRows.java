// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of one block, or of its patch. Columns are local: the first are the block's own unknowns in the order of its core,
 * the following are halo slots: the values of all incoming edges, one edge after another. Immutable.
 */
final class BlockRows {
    private final int core;
    private final int[] haloStart;
    private final int[] rowStart;
    private final int[] columns;
    private final double[] values;
    private final double[] diagonal;
    private final double[] right;

    private BlockRows(
            int core,
            int[] haloStart,
            int[] rowStart,
            int[] columns,
            double[] values,
            double[] diagonal,
            double[] right) {
        this.core = core;
        this.haloStart = haloStart;
        this.rowStart = rowStart;
        this.columns = columns;
        this.values = values;
        this.diagonal = diagonal;
        this.right = right;
    }

    /**
     * Extracts the rows of block {@code id}.
     *
     * @throws IllegalArgumentException if the decomposition has no edge for a value that a row reads
     */
    static BlockRows of(SparseMatrix matrix, double[] b, Decomposition decomposition, int id) {
        long[] core = decomposition.parts().get(id).core().indices(decomposition.unknowns());
        return of(
                matrix,
                b,
                decomposition,
                id,
                Arrays.stream(core).mapToInt(Math::toIntExact).toArray());
    }

    /**
     * Extracts the rows of a patch: those of the core of block {@code id}, in its order, then others.
     *
     * @throws IllegalArgumentException if the decomposition has no edge for a value that a row reads
     */
    static BlockRows of(SparseMatrix matrix, double[] b, Decomposition decomposition, int id, int[] rows) {
        List<Edge> incoming = decomposition.incoming(id);
        // Slot of each global column plus one; zero where this block has none.
        int[] slot = new int[matrix.size()];
        int slots = 0;
        int entries = 0;
        for (int i = 0; i < rows.length; i++) {
            if (i < decomposition.parts().get(id).core().size()) {
                slot[rows[i]] = ++slots;
            }
            entries += matrix.rowStart()[rows[i] + 1] - matrix.rowStart()[rows[i]];
        }
        int[] haloStart = new int[incoming.size() + 1];
        haloStart[0] = slots;
        for (int k = 0; k < incoming.size(); k++) {
            for (long column : incoming.get(k).values().indices(decomposition.unknowns())) {
                slot[(int) column] = ++slots;
            }
            haloStart[k + 1] = slots;
        }
        int[] rowStart = new int[rows.length + 1];
        int[] columns = new int[entries];
        double[] values = new double[entries];
        double[] diagonal = new double[rows.length];
        double[] right = new double[rows.length];
        int end = 0;
        for (int i = 0; i < rows.length; i++) {
            int row = rows[i];
            right[i] = b[row];
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                int local = slot[matrix.columns()[k]] - 1;
                if (local < 0) {
                    throw new IllegalArgumentException("row " + row + " reads unknown " + matrix.columns()[k]
                            + ", which no edge brings to block " + id);
                }
                columns[end] = local;
                values[end++] = matrix.values()[k];
                if (local == i) {
                    diagonal[i] = matrix.values()[k];
                }
            }
            rowStart[i + 1] = end;
        }
        return new BlockRows(rows.length, haloStart, rowStart, columns, values, diagonal, right);
    }

    /** Number of the block's own unknowns. */
    int core() {
        return core;
    }

    /** Number of own unknowns and halo slots. */
    int slots() {
        return haloStart[haloStart.length - 1];
    }

    /** Number of entries. */
    int entries() {
        return rowStart[core];
    }

    double diagonal(int row) {
        return diagonal[row];
    }

    /** The block's own square matrix, couplings left out. */
    SparseMatrix ownMatrix() {
        int[] start = new int[core + 1];
        int[] column = new int[entries()];
        double[] value = new double[entries()];
        int end = 0;
        for (int i = 0; i < core; i++) {
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                if (columns[k] < core) {
                    column[end] = columns[k];
                    value[end++] = values[k];
                }
            }
            start[i + 1] = end;
        }
        return new SparseMatrix(start, column, value);
    }

    /** Copies the halos into their slots of {@code x}. */
    void takeHalos(Halos halos, double[] x) {
        for (int k = 0; k + 1 < haloStart.length; k++) {
            System.arraycopy(halos.values(k), 0, x, haloStart[k], haloStart[k + 1] - haloStart[k]);
        }
    }

    /** {@code r = b − A x} on the core; returns its maximum norm. */
    double residual(double[] x, double[] r) {
        double norm = 0;
        for (int i = 0; i < core; i++) {
            double sum = right[i];
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                sum -= values[k] * x[columns[k]];
            }
            r[i] = sum;
            norm = Math.max(norm, Math.abs(sum));
        }
        return norm;
    }

    /**
     * The residual of {@code x} with a rigorous bound of its rounding error: a row of k entries is computed with an error of
     * at most γ(k + 1) · (|A| |x| + |b|), γ(m) = m·u/(1 − m·u) (docs/explanation/certification.md, "rounding bound"). The sum
     * of magnitudes is itself rounded, hence the second factor. Underflow is not counted.
     */
    Residual certify(double[] x) {
        double norm = 0;
        double squares = 0;
        double roundoff = 0;
        for (int i = 0; i < core; i++) {
            double sum = right[i];
            double magnitude = Math.abs(right[i]);
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                double term = values[k] * x[columns[k]];
                sum -= term;
                magnitude += Math.abs(term);
            }
            norm = Math.max(norm, Math.abs(sum));
            squares += sum * sum;
            double gamma = Residual.gamma(rowStart[i + 1] - rowStart[i] + 1);
            roundoff = Math.max(roundoff, gamma * magnitude * (1 + 2 * gamma));
        }
        return new Residual(norm, squares, roundoff);
    }

    /** One forward Gauss–Seidel sweep in place. */
    void gaussSeidelSweep(double[] x) {
        for (int i = 0; i < core; i++) {
            double sum = right[i];
            for (int k = rowStart[i]; k < rowStart[i + 1]; k++) {
                sum -= values[k] * x[columns[k]];
            }
            x[i] += sum / diagonal[i];
        }
    }
}
