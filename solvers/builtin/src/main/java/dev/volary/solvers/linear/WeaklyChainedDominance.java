// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;

/**
 * A sufficient condition for ρ(|D⁻¹(A − D)|) < 1 that needs no iteration: every row is weakly diagonally dominant and has a
 * path to a strictly dominant one ("weakly chained", Shivakumar and Chew 1974). Discretized elliptic problems have it, however
 * large; there the power iteration of {@link CollatzWielandt} would need as many sweeps as the grid has lines.
 */
final class WeaklyChainedDominance {

    private WeaklyChainedDominance() {}

    /** Whether the condition holds. */
    static boolean holds(SparseMatrix matrix) {
        int n = matrix.size();
        boolean[] reached = new boolean[n];
        int[] queue = new int[n];
        int tail = 0;
        for (int row = 0; row < n; row++) {
            double slack = slack(matrix, row);
            if (!(slack >= 0)) {
                return false;
            }
            if (slack > 0) {
                reached[row] = true;
                queue[tail++] = row;
            }
        }
        // Who reads a row that is reached is reached: a search along the columns.
        SparseMatrix readers = matrix.transpose();
        for (int head = 0; head < tail; head++) {
            int row = queue[head];
            for (int k = readers.rowStart()[row]; k < readers.rowStart()[row + 1]; k++) {
                int reader = readers.columns()[k];
                if (!reached[reader] && readers.values()[k] != 0) {
                    reached[reader] = true;
                    queue[tail++] = reader;
                }
            }
        }
        return tail == n;
    }

    /**
     * {@code |a_ii| − Σ |a_ij|}, summed with the rounding errors carried along (Neumaier), so that the equality that
     * discretizations have is seen as equality.
     */
    private static double slack(SparseMatrix matrix, int row) {
        double sum = 0;
        double lost = 0;
        for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
            double term = matrix.columns()[k] == row ? Math.abs(matrix.values()[k]) : -Math.abs(matrix.values()[k]);
            double next = sum + term;
            lost += Math.abs(sum) >= Math.abs(term) ? (sum - next) + term : (term - next) + sum;
            sum = next;
        }
        return sum + lost;
    }
}
