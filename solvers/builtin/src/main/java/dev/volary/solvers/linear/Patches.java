// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.GraphDecomposition;
import dev.volary.solver.Subdomain;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.linear.partition.Graph;
import java.util.Arrays;

/**
 * Overlapping subdomains: the patch of a block is its core and some layers of the graph of A + Aᵀ round it. Immutable.
 *
 * @param owner the block of each unknown
 * @param rows the unknowns of each patch: the core, ascending, then the layers, ascending
 * @param cores how many of them are the core
 * @param decomposition edges carry what the rows of a patch read, and the patch
 */
@SuppressWarnings("ArrayRecordComponent") // the package shares these arrays; equality of patches is never asked for
record Patches(int[] owner, int[][] rows, int[] cores, Decomposition decomposition) {

    /** Rows of all patches over those of the matrix, above which fewer layers are chosen. */
    private static final double MOST_GROWTH = 1.7;

    /**
     * @param owner the block of each unknown
     * @param layers at least 1
     * @param footprint memory of a block: the rows are those of its patch
     */
    static Patches of(
            SparseMatrix matrix, int[] owner, int blocks, int layers, GraphDecomposition.Footprint footprint) {
        Graph graph = Graph.of(matrix);
        int[][] rows = new int[blocks][];
        int[] cores = new int[blocks];
        for (int part : owner) {
            cores[part]++;
        }
        int[] seen = new int[owner.length];
        int[][] read = new int[blocks][];
        int entries = 0;
        for (int block = 0; block < blocks; block++) {
            rows[block] = patch(graph, owner, block, cores[block], layers, seen);
            read[block] = read(matrix, rows[block]);
            entries += read[block].length;
        }
        return new Patches(owner, rows, cores, decompose(owner, rows, read, entries, matrix, footprint));
    }

    /**
     * The most layers with which all patches together are not much larger than the matrix; at least 1.
     *
     * @param most layers
     */
    static int affordableLayers(SparseMatrix matrix, int[] owner, int blocks, int most) {
        Graph graph = Graph.of(matrix);
        int[] cores = new int[blocks];
        for (int part : owner) {
            cores[part]++;
        }
        for (int layers = most; layers > 1; layers--) {
            int[] seen = new int[owner.length];
            long rows = 0;
            for (int block = 0; block < blocks; block++) {
                rows += patch(graph, owner, block, cores[block], layers, seen).length;
            }
            if (rows <= MOST_GROWTH * owner.length) {
                return layers;
            }
        }
        return 1;
    }

    /** A pattern whose first row of each block reads everything that the patch reads, and whose other rows read nothing. */
    private static Decomposition decompose(
            int[] owner,
            int[][] rows,
            int[][] read,
            int entries,
            SparseMatrix matrix,
            GraphDecomposition.Footprint footprint) {
        int[] start = new int[owner.length + 1];
        int[] columns = new int[entries];
        int end = 0;
        for (int row = 0; row < owner.length; row++) {
            int block = owner[row];
            if (rows[block][0] == row) {
                System.arraycopy(read[block], 0, columns, end, read[block].length);
                end += read[block].length;
            }
            start[row + 1] = end;
        }
        Decomposition cut = GraphDecomposition.of(start, columns, owner, rows.length, (r, e, h) -> 1);
        return new Decomposition(
                cut.unknowns(),
                cut.parts().stream()
                        .map(part -> {
                            int[] patch = rows[part.id()];
                            long count = entries(matrix, patch);
                            int halo = read[part.id()].length - part.core().size();
                            return new Subdomain(
                                    part.id(), part.core(), footprint.bytes(patch.length, count, halo), count);
                        })
                        .toList(),
                cut.edges());
    }

    private static long entries(SparseMatrix matrix, int[] rows) {
        long entries = 0;
        for (int row : rows) {
            entries += matrix.rowStart()[row + 1] - matrix.rowStart()[row];
        }
        return entries;
    }

    private static int[] patch(Graph graph, int[] owner, int block, int core, int layers, int[] seen) {
        int[] patch = new int[Math.max(16, 2 * core)];
        int end = 0;
        for (int row = 0; row < owner.length; row++) {
            if (owner[row] == block) {
                patch[end++] = row;
                seen[row] = block + 1;
            }
        }
        int from = 0;
        for (int layer = 0; layer < layers; layer++) {
            int to = end;
            for (int i = from; i < to; i++) {
                for (int e = graph.start()[patch[i]]; e < graph.start()[patch[i] + 1]; e++) {
                    int other = graph.neighbors()[e];
                    if (seen[other] != block + 1) {
                        seen[other] = block + 1;
                        if (end == patch.length) {
                            patch = Arrays.copyOf(patch, 2 * end);
                        }
                        patch[end++] = other;
                    }
                }
            }
            from = to;
        }
        Arrays.sort(patch, core, end);
        return Arrays.copyOf(patch, end);
    }

    /** The patch and the columns of its rows, each once. */
    private static int[] read(SparseMatrix matrix, int[] patch) {
        int[] found = Arrays.copyOf(patch, patch.length + Math.toIntExact(entries(matrix, patch)));
        int end = patch.length;
        for (int row : patch) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                found[end++] = matrix.columns()[k];
            }
        }
        Arrays.sort(found);
        int distinct = 0;
        for (int i = 0; i < found.length; i++) {
            if (i == 0 || found[i] != found[i - 1]) {
                found[distinct++] = found[i];
            }
        }
        return Arrays.copyOf(found, distinct);
    }
}
