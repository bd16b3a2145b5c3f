// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * A largest set of nonzero entries of which no two share a row or a column, by augmenting paths (I. S. Duff, ACM TOMS 7, 1981). With
 * fewer entries than rows the matrix is singular whatever its values are.
 */
final class StructuralRank {
    /** Large entries first: the row of the diagonal that a permutation of rows has hidden is found again. */
    private static final double[] THRESHOLDS = {0.99, 0.5, 0.1, 0.01, 0};

    private final SparseMatrix matrix;
    private final double[] largest;
    /** By row its column, and by column its row; −1 for none. */
    private final int[] columnOf;

    private final int[] rowOf;
    /** By column, the last row whose search has visited it, plus 1. */
    private final int[] visited;
    /** The rows on the path of a search, and for each its next entry. */
    private final int[] path;

    private final int[] next;

    private StructuralRank(SparseMatrix matrix) {
        this.matrix = matrix;
        int n = matrix.size();
        largest = new double[n];
        for (int row = 0; row < n; row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                largest[row] = Math.max(largest[row], Math.abs(matrix.values()[k]));
            }
        }
        columnOf = new int[n];
        rowOf = new int[n];
        visited = new int[n];
        path = new int[n];
        next = new int[n];
        Arrays.fill(columnOf, -1);
        Arrays.fill(rowOf, -1);
    }

    /**
     * Matches rows and columns.
     *
     * @param matrix best equilibrated: entries that are large in their row are preferred
     * @return by column its row; −1 for columns that are left over
     */
    static int[] rowsOfColumns(SparseMatrix matrix) {
        StructuralRank search = new StructuralRank(matrix);
        for (double threshold : THRESHOLDS) {
            Arrays.fill(search.visited, 0);
            boolean complete = true;
            for (int row = 0; row < matrix.size(); row++) {
                complete &= search.columnOf[row] >= 0 || search.augment(row, threshold);
            }
            if (complete) {
                break;
            }
        }
        return search.rowOf;
    }

    private boolean augment(int start, double threshold) {
        int depth = 0;
        path[0] = start;
        next[0] = matrix.rowStart()[start];
        while (depth >= 0) {
            int row = path[depth];
            if (next[depth] == matrix.rowStart()[row + 1]) {
                depth--;
                continue;
            }
            int k = next[depth]++;
            int column = matrix.columns()[k];
            double magnitude = Math.abs(matrix.values()[k]);
            if (magnitude == 0 || magnitude < threshold * largest[row] || visited[column] == start + 1) {
                continue;
            }
            visited[column] = start + 1;
            if (rowOf[column] < 0) {
                assign(depth);
                return true;
            }
            depth++;
            path[depth] = rowOf[column];
            next[depth] = matrix.rowStart()[path[depth]];
        }
        return false;
    }

    private void assign(int depth) {
        for (int i = 0; i <= depth; i++) {
            int column = matrix.columns()[next[i] - 1];
            columnOf[path[i]] = column;
            rowOf[column] = path[i];
        }
    }
}
