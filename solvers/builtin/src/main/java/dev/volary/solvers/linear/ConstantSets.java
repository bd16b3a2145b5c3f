// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Residual;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.linear.partition.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds connected unknowns whose rows all sum to zero: constants on them solve A x = 0. */
final class ConstantSets {
    private ConstantSets() {}

    /**
     * Unknowns that no other row is connected with.
     *
     * @param unknowns the smallest first
     * @param size of the matrix
     */
    @SuppressWarnings("ArrayRecordComponent") // equality of sets is never asked for
    record Set(int[] unknowns, int size) {

        boolean isAll() {
            return unknowns.length == size;
        }

        /** For messages. */
        String describe() {
            return isAll()
                    ? "all unknowns"
                    : "the " + unknowns.length + " unknowns that are connected with unknown " + (unknowns[0] + 1);
        }
    }

    /** All such sets of a matrix, in time that is linear in its entries. */
    static List<Set> of(SparseMatrix matrix) {
        Graph graph = Graph.of(matrix);
        int n = matrix.size();
        boolean[] seen = new boolean[n];
        int[] found = new int[n];
        List<Set> sets = new ArrayList<>();
        for (int first = 0; first < n; first++) {
            if (seen[first]) {
                continue;
            }
            int end = 1;
            found[0] = first;
            seen[first] = true;
            boolean allZero = true;
            for (int i = 0; i < end; i++) {
                int row = found[i];
                allZero &= sumsToZero(matrix, row);
                for (int e = graph.start()[row]; e < graph.start()[row + 1]; e++) {
                    int other = graph.neighbors()[e];
                    if (!seen[other]) {
                        seen[other] = true;
                        found[end++] = other;
                    }
                }
            }
            if (allZero) {
                sets.add(new Set(Arrays.copyOf(found, end), n));
            }
        }
        return sets;
    }

    /** Whether a row sums to zero up to the rounding of the sum. */
    static boolean sumsToZero(SparseMatrix matrix, int row) {
        double sum = 0;
        double magnitude = 0;
        for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
            sum += matrix.values()[k];
            magnitude += Math.abs(matrix.values()[k]);
        }
        return Math.abs(sum) <= Residual.gamma(matrix.rowStart()[row + 1] - matrix.rowStart()[row]) * magnitude;
    }
}
