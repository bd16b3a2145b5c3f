// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.Optional;

/**
 * Bounds of ρ(|T|), T the iteration matrix of a method on a partition (docs/explanation/asynchronous-iteration.md, "pre flight
 * check").
 *
 * <p>Three ways, from the cheapest to the sharpest:
 *
 * <ul>
 *   <li>{@link #ofPoints}: T = D⁻¹(A − D), for every partition;
 *   <li>{@link #ofBlocks}: |T| ≤ ⟨M⟩⁻¹|N|, evaluated by sweeps over magnitudes. An upper bound only. It certifies exactly
 *       the H-matrices, as the point bound does, but with the block method's own, better factor;
 *   <li>{@link #exact}: |T| itself, column by column through the very local solves that will run. It may certify systems
 *       that are not H-matrices; dense, so for small systems only.
 * </ul>
 */
final class RelaxationBounds {
    /** Sweeps after which an undecided bound is reported as undecided, where the budget allows that many. */
    private static final int SWEEPS = 200;

    /** Entries to visit in all sweeps: about half a second, so that a person who waits for the verdict hardly notices. */
    private static final long BUDGET = 200_000_000;

    /** Made even if they break the budget; reading a matrix of that size takes longer. */
    private static final int FEWEST = 20;

    /** Sweeps over magnitudes that stand for a direct solve; more would only sharpen the factor. */
    private static final int SWEEPS_FOR_DIRECT = 12;

    /** Largest dense |T|, in elements. */
    private static final long MOST_ELEMENTS = 2_000_000;

    /** Most multiplications to spend on computing |T|. */
    private static final double MOST_WORK = 2e8;

    private final SparseMatrix matrix;

    /** B = |D⁻¹(A − D)|. */
    private final SparseMatrix magnitudes;

    private final double roundoff;
    private final boolean provedByDominance;
    private final int most;

    RelaxationBounds(SparseMatrix matrix) {
        this.matrix = matrix;
        this.magnitudes = magnitudes(matrix);
        this.provedByDominance = WeaklyChainedDominance.holds(matrix);
        this.most = Math.clamp(BUDGET / matrix.entries(), FEWEST, SWEEPS);
        int longest = 0;
        for (int row = 0; row < matrix.size(); row++) {
            longest = Math.max(longest, matrix.rowStart()[row + 1] - matrix.rowStart()[row]);
        }
        this.roundoff = 2 * Residual.gamma(longest + 4);
    }

    private double[] ones() {
        double[] w = new double[matrix.size()];
        Arrays.fill(w, 1);
        return w;
    }

    /** Sweeps that are made at most. */
    int sweeps() {
        return most;
    }

    /** Whether ρ(|T|) < 1 is proved for every method and partition without knowing it. */
    boolean provedByDominance() {
        return provedByDominance;
    }

    /** Bounds for point relaxation. */
    CollatzWielandt.Bounds ofPoints() {
        return CollatzWielandt.of(this::pointOperator, ones(), most, roundoff);
    }

    private static SparseMatrix magnitudes(SparseMatrix matrix) {
        double[] diagonal = matrix.diagonal();
        int[] start = new int[matrix.size() + 1];
        int[] columns = new int[matrix.entries()];
        double[] values = new double[matrix.entries()];
        int end = 0;
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                if (matrix.columns()[k] != row) {
                    columns[end] = matrix.columns()[k];
                    values[end++] = Math.abs(matrix.values()[k] / diagonal[row]);
                }
            }
            start[row + 1] = end;
        }
        return new SparseMatrix(start, columns, values);
    }

    private void pointOperator(double[] w, double[] target) {
        int[] start = magnitudes.rowStart();
        int[] columns = magnitudes.columns();
        double[] values = magnitudes.values();
        for (int row = 0; row < target.length; row++) {
            double sum = 0;
            for (int k = start[row]; k < start[row + 1]; k++) {
                sum += values[k] * w[columns[k]];
            }
            target[row] = sum;
        }
    }

    /**
     * Bounds for a block method by sweeps over magnitudes; the lower one is zero, which says nothing.
     *
     * <p>A weight w with S(w) < w, S one Gauss–Seidel sweep over magnitudes, stays one under S, shifts and newer halos, since
     * S is linear and monotone; and from such a w each further sweep only falls towards ⟨M⟩⁻¹|N|w. So the ratio after any
     * number of sweeps bounds the direct solve from above. The first phase finds such a w, the second sharpens the factor.
     */
    CollatzWielandt.Bounds ofBlocks(Decomposition decomposition, LinearMethod method, int sweeps) {
        int[] owner = owners(decomposition);
        double[] w = ones();
        CollatzWielandt.Bounds once =
                CollatzWielandt.of((v, target) -> magnitudeSweeps(owner, 1, v, target), w, most, roundoff);
        if (!(once.upper() < 1)) {
            return new CollatzWielandt.Bounds(0, Double.POSITIVE_INFINITY);
        }
        int repeated = method == LinearMethod.Direct ? SWEEPS_FOR_DIRECT : sweeps;
        double upper = once.upper();
        if (repeated > 1 && contracts(owner, w)) {
            CollatzWielandt.Bounds repeatedly = CollatzWielandt.of(
                    (v, target) -> magnitudeSweeps(owner, repeated, v, target), w, most / 10, repeated * roundoff);
            upper = Math.min(upper, repeatedly.upper());
        }
        return new CollatzWielandt.Bounds(0, upper);
    }

    private boolean contracts(int[] owner, double[] w) {
        double[] image = new double[w.length];
        magnitudeSweeps(owner, 1, w, image);
        for (int i = 0; i < w.length; i++) {
            if (image[i] * (1 + roundoff) > w[i]) {
                return false;
            }
        }
        return true;
    }

    /** Gauss–Seidel sweeps over magnitudes: values of the own block are the newest, of other blocks those of {@code w}. */
    private void magnitudeSweeps(int[] owner, int sweeps, double[] w, double[] target) {
        int[] start = magnitudes.rowStart();
        int[] columns = magnitudes.columns();
        double[] values = magnitudes.values();
        System.arraycopy(w, 0, target, 0, w.length);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int row = 0; row < w.length; row++) {
                double sum = 0;
                for (int k = start[row]; k < start[row + 1]; k++) {
                    int column = columns[k];
                    sum += values[k] * (owner[column] == owner[row] ? target[column] : w[column]);
                }
                target[row] = sum;
            }
        }
    }

    private int[] owners(Decomposition decomposition) {
        int[] owner = new int[matrix.size()];
        decomposition
                .parts()
                .forEach(part ->
                        part.core().forEach(decomposition.unknowns(), unknown -> owner[(int) unknown] = part.id()));
        return owner;
    }

    /** Whether {@link #exact} can be expected to answer for a direct solve on this many equal blocks. */
    boolean isSmallEnough(int blocks) {
        return (double) matrix.size() * matrix.size() / blocks <= MOST_ELEMENTS;
    }

    /** Bounds from |T| itself; empty if that is too much work, or a diagonal block is singular. */
    Optional<CollatzWielandt.Bounds> exact(Decomposition decomposition, LinearMethod method, int sweeps) {
        double[] zero = new double[matrix.size()];
        int blocks = decomposition.blocks();
        BlockRows[] rows = new BlockRows[blocks];
        long elements = 0;
        double work = 0;
        for (int id = 0; id < blocks; id++) {
            long size = decomposition.parts().get(id).core().size();
            long columns = size;
            for (var edge : decomposition.incoming(id)) {
                columns += edge.values().size();
            }
            elements += size * columns;
            double solve = method == LinearMethod.Direct
                    ? 20.0 * (double) size * Math.sqrt((double) size)
                    : decomposition.parts().get(id).work();
            work += (double) columns * solve * (method == LinearMethod.Direct ? 1 : sweeps);
        }
        if (elements > MOST_ELEMENTS || work > MOST_WORK) {
            return Optional.empty();
        }
        double[][] iteration = new double[blocks][];
        int[][] slots = new int[blocks][];
        int longest = 1;
        for (int id = 0; id < blocks; id++) {
            rows[id] = BlockRows.of(matrix, zero, decomposition, id);
            Optional<LocalSolver> solve = LocalSolver.of(rows[id], method, sweeps);
            if (solve.isEmpty()) {
                return Optional.empty();
            }
            iteration[id] = columnByColumn(rows[id], solve.get());
            slots[id] = globalSlots(decomposition, id, rows[id].slots());
            longest = Math.max(longest, rows[id].slots());
        }
        CollatzWielandt.Operator operator = (w, target) -> {
            for (int id = 0; id < blocks; id++) {
                multiply(iteration[id], slots[id], rows[id].core(), w, target);
            }
        };
        return Optional.of(CollatzWielandt.of(operator, ones(), SWEEPS, 2 * Residual.gamma(longest + 4)));
    }

    /** |T| of one block: row {@code i} holds what unit values in each slot make of own unknown {@code i}. */
    private static double[] columnByColumn(BlockRows rows, LocalSolver solve) {
        int slots = rows.slots();
        double[] iteration = new double[rows.core() * slots];
        double[] x = new double[slots];
        double[] residual = new double[rows.core()];
        for (int slot = 0; slot < slots; slot++) {
            if (slot < rows.core() && solve instanceof LocalSolver.Direct) {
                continue; // an exact solve forgets the block's own values; what remains would be rounding error
            }
            Arrays.fill(x, 0);
            x[slot] = 1;
            rows.residual(x, residual);
            solve.improve(x, residual);
            for (int i = 0; i < rows.core(); i++) {
                iteration[i * slots + slot] = Math.abs(x[i]);
            }
        }
        return iteration;
    }

    private static int[] globalSlots(Decomposition decomposition, int id, int count) {
        int[] slots = new int[count];
        int[] next = {0};
        decomposition
                .parts()
                .get(id)
                .core()
                .forEach(decomposition.unknowns(), unknown -> slots[next[0]++] = (int) unknown);
        for (var edge : decomposition.incoming(id)) {
            edge.values().forEach(decomposition.unknowns(), unknown -> slots[next[0]++] = (int) unknown);
        }
        return slots;
    }

    private static void multiply(double[] iteration, int[] slots, int core, double[] w, double[] target) {
        for (int i = 0; i < core; i++) {
            double sum = 0;
            for (int slot = 0; slot < slots.length; slot++) {
                sum += iteration[i * slots.length + slot] * w[slots[slot]];
            }
            target[slots[i]] = sum;
        }
    }
}
