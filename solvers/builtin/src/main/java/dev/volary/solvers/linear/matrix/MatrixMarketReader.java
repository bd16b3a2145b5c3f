// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import dev.volary.solver.InvalidProblemException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads a square matrix from a Matrix Market coordinate file, gzipped or not.
 *
 * <p>An entry that is listed twice is refused, not summed: in a file of symmetric storage it is nearly always the sign of
 * both triangles written out, which summing would double in silence. Entries of the upper triangle of symmetric storage are
 * accepted. Empty lines and comments may stand anywhere after the header.
 */
public final class MatrixMarketReader {
    /** Vertices of a graph for each of its edges. More are nearly all isolated, or the sizes are wrong. */
    static final long MOST_VERTICES_PER_EDGE = 100;

    private final NumberScanner in;
    private final MatrixMarketHeader header;
    private final boolean graph;
    private int size;
    private int listed;
    private int[] rows = new int[0];
    private int[] columns = new int[0];
    private double[] values = new double[0];

    /** Numbers of the entries before which lines were skipped, to find an entry's line again. */
    private long[] lineOfBlock = new long[0];

    private int[] firstOfBlock = new int[0];
    private int lineBlocks;

    private MatrixMarketReader(NumberScanner in, MatrixMarketHeader header, boolean graph) {
        this.in = in;
        this.header = header;
        this.graph = graph;
    }

    /**
     * Reads the matrix of a linear system, which has entries in every row.
     *
     * @throws InvalidProblemException naming the file, the line, the fault and the remedy
     */
    public static SparseMatrix read(Path file) throws InvalidProblemException {
        return read(file, false);
    }

    /**
     * Reads the adjacency matrix of a graph, in which rows may be empty.
     *
     * @throws InvalidProblemException naming the file, the line, the fault and the remedy
     */
    public static SparseMatrix readGraph(Path file) throws InvalidProblemException {
        return read(file, true);
    }

    private static SparseMatrix read(Path file, boolean graph) throws InvalidProblemException {
        try (NumberScanner in = NumberScanner.open(file)) {
            if (in.atEnd()) {
                throw in.fault("the file is empty", "get it again");
            }
            MatrixMarketHeader header = MatrixMarketHeader.read(in);
            if (header.array()) {
                throw in.faultAt(
                        1, "the matrix is dense ('array')", "write it as 'coordinate' with its nonzero entries");
            }
            if (header.pattern() && !graph) {
                throw in.faultAt(
                        1, "the file has a pattern without values", "write it as 'real' or 'integer' with its values");
            }
            MatrixMarketReader reader = new MatrixMarketReader(in, header, graph);
            reader.readSize();
            reader.readEntries();
            return reader.compress();
        }
    }

    private void readSize() throws InvalidProblemException {
        if (!in.skipToNumbers()) {
            throw in.fault("the file ends before the sizes", "get it again");
        }
        long line = in.line();
        long rowCount = in.nextWhole("the number of rows");
        long columnCount = in.nextWhole("the number of columns");
        long entryCount = in.nextWhole("the number of entries");
        in.expectEndOfLine("the sizes");
        if (rowCount < 1 || columnCount < 1 || entryCount < 0) {
            throw in.faultAt(
                    line,
                    "the sizes are " + rowCount + " " + columnCount + " " + entryCount,
                    "they must be rows, columns and entries, all positive");
        }
        if (rowCount != columnCount) {
            throw in.faultAt(
                    line,
                    "the matrix is " + rowCount + " × " + columnCount,
                    (graph ? "a graph" : "a linear system") + " needs a square matrix");
        }
        if (rowCount > SparseMatrix.MOST || entryCount > SparseMatrix.MOST) {
            throw in.faultAt(
                    line,
                    "there are " + rowCount + " rows and " + entryCount + " entries",
                    "at most " + SparseMatrix.MOST + " of each are supported (32-bit indices)");
        }
        size = (int) rowCount;
        listed = (int) entryCount;
    }

    private void readEntries() throws InvalidProblemException {
        // A header that promises too much must not reserve memory for it.
        reserve(Math.min(listed, 1 << 16));
        long expectedLine = -1;
        for (int k = 0; k < listed; k++) {
            if (!in.skipToNumbers()) {
                throw in.fault(
                        "the file ends after " + k + " of " + listed + " entries", "it was cut off: get it again");
            }
            if (k == rows.length) {
                reserve((int) Math.min(listed, 2L * k));
            }
            if (in.line() != expectedLine) {
                startLineBlock(k);
            }
            rows[k] = index("row");
            columns[k] = index("column");
            values[k] = header.pattern() ? 1 : in.nextReal("the value");
            expectedLine = in.line() + 1;
            in.expectEndOfLine("the entry");
        }
        if (in.skipToNumbers()) {
            throw in.fault(
                    "there is more after the " + listed + " entries that the sizes promise",
                    "correct the number of entries, or remove the rest");
        }
    }

    private int index(String axis) throws InvalidProblemException {
        long index = in.nextWhole("the " + axis);
        if (index < 1 || index > size) {
            throw in.fault("the " + axis + " is " + index, "indices are from 1 to " + size);
        }
        return (int) index - 1;
    }

    private void reserve(int capacity) {
        rows = Arrays.copyOf(rows, capacity);
        columns = Arrays.copyOf(columns, capacity);
        values = Arrays.copyOf(values, capacity);
    }

    private void startLineBlock(int entry) {
        if (lineBlocks == firstOfBlock.length) {
            firstOfBlock = Arrays.copyOf(firstOfBlock, 2 * lineBlocks + 4);
            lineOfBlock = Arrays.copyOf(lineOfBlock, 2 * lineBlocks + 4);
        }
        firstOfBlock[lineBlocks] = entry;
        lineOfBlock[lineBlocks++] = in.line();
    }

    private long lineOf(int entry) {
        int found = Arrays.binarySearch(firstOfBlock, 0, lineBlocks, entry);
        int block = found >= 0 ? found : -found - 2;
        return lineOfBlock[block] + (entry - firstOfBlock[block]);
    }

    private SparseMatrix compress() throws InvalidProblemException {
        boolean mirrored = header.symmetry() != MatrixMarketHeader.Symmetry.GENERAL;
        // Before anything of the size of the matrix is reserved.
        if (graph && MOST_VERTICES_PER_EDGE * listed < size) {
            throw in.fault(
                    "there are only " + listed + " entries for " + size + " vertices",
                    "leave out vertices without an edge, or correct the sizes");
        }
        if (!graph && (mirrored ? 2L : 1L) * listed < size) {
            throw in.fault(
                    "there are only " + listed + " entries for " + size + " rows, so some row is empty",
                    "complete the matrix; as it is, it is singular");
        }
        double mirrorSign = header.symmetry() == MatrixMarketHeader.Symmetry.SKEW ? -1 : 1;
        long[] start = new long[size + 1];
        for (int k = 0; k < listed; k++) {
            start[rows[k] + 1]++;
            if (mirrored && rows[k] != columns[k]) {
                start[columns[k] + 1]++;
            }
        }
        for (int row = 0; row < size; row++) {
            start[row + 1] += start[row];
        }
        if (start[size] > SparseMatrix.MOST) {
            throw in.fault(
                    "the symmetric matrix has " + start[size] + " entries in full",
                    "at most " + SparseMatrix.MOST + " are supported (32-bit indices)");
        }
        int[] rowStart = new int[size + 1];
        for (int row = 0; row <= size; row++) {
            rowStart[row] = (int) start[row];
        }
        int[] next = rowStart.clone();
        int[] column = new int[rowStart[size]];
        double[] value = new double[rowStart[size]];
        for (int k = 0; k < listed; k++) {
            int slot = next[rows[k]]++;
            column[slot] = columns[k];
            value[slot] = values[k];
            if (mirrored && rows[k] != columns[k]) {
                slot = next[columns[k]]++;
                column[slot] = rows[k];
                value[slot] = mirrorSign * values[k];
            }
        }
        // Transposing twice sorts every row in linear time.
        SparseMatrix sorted =
                new SparseMatrix(rowStart, column, value).transpose().transpose();
        refuseDuplicates(sorted);
        return sorted;
    }

    private void refuseDuplicates(SparseMatrix matrix) throws InvalidProblemException {
        int[] start = matrix.rowStart();
        int[] column = matrix.columns();
        for (int row = 0; row < size; row++) {
            for (int k = start[row] + 1; k < start[row + 1]; k++) {
                if (column[k] == column[k - 1]) {
                    throw duplicate(row, column[k]);
                }
            }
        }
    }

    private InvalidProblemException duplicate(int row, int column) {
        boolean mirrored = header.symmetry() != MatrixMarketHeader.Symmetry.GENERAL;
        int first = -1;
        for (int k = 0; k < listed; k++) {
            boolean same = rows[k] == row && columns[k] == column;
            boolean mirror = mirrored && rows[k] == column && columns[k] == row;
            if (same || mirror) {
                if (first >= 0) {
                    return in.faultAt(
                            lineOf(k),
                            "entry (" + (rows[k] + 1) + ", " + (columns[k] + 1) + ") was given before, on line "
                                    + lineOf(first),
                            mirrored
                                    ? "list only one triangle, each entry once"
                                    : "list each entry once; add up values that belong together");
                }
                first = k;
            }
        }
        throw new IllegalStateException("entry (" + row + ", " + column + ") is not listed twice");
    }
}
