// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.partition;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * An undirected graph without loops, in compressed rows: the pattern of A + Aᵀ.
 *
 * <p>Arrays are not copied and must not be changed.
 *
 * @param start {@code n + 1} offsets into {@code neighbors}
 * @param neighbors neighbors of each vertex, ascending
 * @param weight work of each vertex, positive
 */
@SuppressWarnings("ArrayRecordComponent") // the package shares these arrays; equality of graphs is never asked for
public record Graph(int[] start, int[] neighbors, int[] weight) {

    /** Number of vertices. */
    int size() {
        return weight.length;
    }

    /** Number of neighbors of {@code vertex}. */
    int degree(int vertex) {
        return start[vertex + 1] - start[vertex];
    }

    /** The graph of a matrix; a vertex weighs as much as its row has entries. */
    public static Graph of(SparseMatrix matrix) {
        SparseMatrix transposed = matrix.transpose();
        int n = matrix.size();
        int[] start = new int[n + 1];
        int[] neighbors = new int[matrix.entries() + 16];
        int[] weight = new int[n];
        int end = 0;
        for (int row = 0; row < n; row++) {
            int degreeBound = rowLength(matrix, row) + rowLength(transposed, row);
            if (neighbors.length - end < degreeBound) {
                neighbors = Arrays.copyOf(neighbors, grown(neighbors.length, (long) end + degreeBound));
            }
            end = mergeRow(matrix, transposed, row, neighbors, end);
            start[row + 1] = end;
            weight[row] = Math.max(1, rowLength(matrix, row));
        }
        return new Graph(start, neighbors, weight);
    }

    private static int grown(int length, long needed) {
        if (needed > SparseMatrix.MOST) {
            throw new ArithmeticException("A + Aᵀ has more than " + SparseMatrix.MOST + " entries");
        }
        return (int) Math.min(SparseMatrix.MOST, Math.max(needed, length + (long) length / 2));
    }

    private static int rowLength(SparseMatrix matrix, int row) {
        return matrix.rowStart()[row + 1] - matrix.rowStart()[row];
    }

    private static int mergeRow(SparseMatrix a, SparseMatrix b, int row, int[] target, int from) {
        int end = from;
        int i = a.rowStart()[row];
        int j = b.rowStart()[row];
        int iEnd = a.rowStart()[row + 1];
        int jEnd = b.rowStart()[row + 1];
        while (i < iEnd || j < jEnd) {
            int left = i < iEnd ? a.columns()[i] : Integer.MAX_VALUE;
            int right = j < jEnd ? b.columns()[j] : Integer.MAX_VALUE;
            int column = Math.min(left, right);
            i += left == column ? 1 : 0;
            j += right == column ? 1 : 0;
            if (column != row) {
                target[end++] = column;
            }
        }
        return end;
    }

    /**
     * The same graph with its vertices renumbered: vertex {@code order[k]} becomes {@code k}. Numbering near vertices near
     * one another makes every later traversal several times faster, as it then stays in cache.
     */
    Graph renumbered(int[] order) {
        int n = size();
        int[] position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        int[] newStart = new int[n + 1];
        int[] newNeighbors = new int[start[n]];
        int[] newWeight = new int[n];
        int end = 0;
        for (int k = 0; k < n; k++) {
            int vertex = order[k];
            for (int e = start[vertex]; e < start[vertex + 1]; e++) {
                newNeighbors[end++] = position[neighbors[e]];
            }
            Arrays.sort(newNeighbors, newStart[k], end);
            newStart[k + 1] = end;
            newWeight[k] = weight[vertex];
        }
        return new Graph(newStart, newNeighbors, newWeight);
    }
}
