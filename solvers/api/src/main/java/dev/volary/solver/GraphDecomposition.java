// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a {@link Decomposition} of an unstructured problem from its sparsity pattern and the block that owns each row.
 *
 * <p>The pattern is in compressed rows: the columns of row {@code i} stand in {@code columns} from {@code rowStart[i]} to
 * {@code rowStart[i + 1]}, in any order. Row {@code i} of the pattern reads the unknowns of its columns.
 */
public final class GraphDecomposition {

    /** Computes how much heap a block needs, for {@link Subdomain#bytes()}. */
    @FunctionalInterface
    public interface Footprint {

        /**
         * @param rows rows of the block
         * @param entries entries of the pattern in these rows
         * @param halo values it reads from other blocks
         * @return heap in bytes
         */
        long bytes(int rows, long entries, int halo);
    }

    private final int[] rowStart;
    private final int[] columns;
    private final int[] owner;
    private final int blocks;
    private final int[][] rowsOf;

    private GraphDecomposition(int[] rowStart, int[] columns, int[] owner, int blocks) {
        this.rowStart = rowStart;
        this.columns = columns;
        this.owner = owner;
        this.blocks = blocks;
        this.rowsOf = rowsByOwner();
    }

    /**
     * Cuts the unknowns as {@code owner} says. Cores and edges are {@link IndexList} in ascending order; an edge carries
     * exactly the unknowns that some row of its target reads from its source. The work of a part is its number of entries.
     *
     * @param rowStart {@code n + 1} offsets into {@code columns}
     * @param columns column of each entry, from 0 to {@code n − 1}
     * @param owner for each row the block that owns it, from 0 to {@code blocks − 1}
     * @throws IllegalArgumentException if a block owns no row, or an owner or column is out of range
     */
    public static Decomposition of(int[] rowStart, int[] columns, int[] owner, int blocks, Footprint footprint) {
        if (rowStart.length != owner.length + 1) {
            throw new IllegalArgumentException(
                    "rowStart has " + rowStart.length + " elements for " + owner.length + " rows, must be one more");
        }
        return new GraphDecomposition(rowStart, columns, owner, blocks).decompose(footprint);
    }

    private Decomposition decompose(Footprint footprint) {
        List<Subdomain> parts = new ArrayList<>(blocks);
        List<Edge> edges = new ArrayList<>();
        int[] lastReader = new int[owner.length];
        Arrays.fill(lastReader, -1);
        for (int block = 0; block < blocks; block++) {
            int[] rows = rowsOf[block];
            int[] halo = columnsReadFromOthers(block, lastReader);
            edges.addAll(edgesTo(block, halo));
            long entries = entries(rows);
            parts.add(new Subdomain(
                    block, IndexList.of(rows), footprint.bytes(rows.length, entries, halo.length), entries));
        }
        return new Decomposition(Shape.of(owner.length), parts, edges);
    }

    private int[][] rowsByOwner() {
        int[] count = new int[blocks];
        for (int row = 0; row < owner.length; row++) {
            if (owner[row] < 0 || owner[row] >= blocks) {
                throw new IllegalArgumentException("row " + row + " is owned by block " + owner[row] + " of " + blocks);
            }
            count[owner[row]]++;
        }
        int[][] rows = new int[blocks][];
        for (int block = 0; block < blocks; block++) {
            if (count[block] == 0) {
                throw new IllegalArgumentException("block " + block + " owns no row");
            }
            rows[block] = new int[count[block]];
        }
        Arrays.fill(count, 0);
        for (int row = 0; row < owner.length; row++) {
            rows[owner[row]][count[owner[row]]++] = row;
        }
        return rows;
    }

    /** The unknowns of other blocks that this block's rows read, each once, ascending. */
    private int[] columnsReadFromOthers(int block, int[] lastReader) {
        int[] found = new int[16];
        int size = 0;
        for (int row : rowsOf[block]) {
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                int column = columns[k];
                if (column < 0 || column >= owner.length) {
                    throw new IllegalArgumentException(
                            "row " + row + " has column " + column + ", must be from 0 to " + (owner.length - 1));
                }
                if (owner[column] != block && lastReader[column] != block) {
                    lastReader[column] = block;
                    if (size == found.length) {
                        found = Arrays.copyOf(found, 2 * size);
                    }
                    found[size++] = column;
                }
            }
        }
        int[] halo = Arrays.copyOf(found, size);
        Arrays.sort(halo);
        return halo;
    }

    private List<Edge> edgesTo(int block, int[] halo) {
        int[] count = new int[blocks];
        for (int column : halo) {
            count[owner[column]]++;
        }
        List<Edge> edges = new ArrayList<>();
        for (int from = 0; from < blocks; from++) {
            if (count[from] > 0) {
                edges.add(new Edge(from, block, IndexList.of(ownedBy(from, halo, count[from]))));
            }
        }
        return edges;
    }

    private int[] ownedBy(int from, int[] halo, int count) {
        int[] values = new int[count];
        int next = 0;
        for (int column : halo) {
            if (owner[column] == from) {
                values[next++] = column;
            }
        }
        return values;
    }

    private long entries(int[] rows) {
        long entries = 0;
        for (int row : rows) {
            entries += rowStart[row + 1] - rowStart[row];
        }
        return entries;
    }
}
