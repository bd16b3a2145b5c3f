// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.npy.NpyHeader;
import dev.volary.solver.npy.NpyReader;
import dev.volary.solver.npy.NpyType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads a square matrix that {@code scipy.sparse.save_npz} wrote: a zip archive of arrays, compressed or not. The formats CSR, CSC
 * and COO are read. Entries of one place count as their sum, as everywhere in SciPy.
 *
 * <p>What the headers of the arrays promise reserves no memory: arrays grow with the elements that are read.
 */
final class NpzReader {
    private static final int FIRST_CAPACITY = 1 << 16;
    private static final String AS_CSR = "write it with scipy.sparse.save_npz(FILE, A.tocsr())";

    private final Path file;
    private final ZipFile zip;
    private final boolean graph;

    private NpzReader(Path file, ZipFile zip, boolean graph) {
        this.file = file;
        this.zip = zip;
        this.graph = graph;
    }

    /**
     * @param graph whether it is the adjacency matrix of a graph, in which rows may be empty and entries may be flags
     * @throws InvalidProblemException naming the file, the array in it, the fault and the remedy
     */
    static SparseMatrix read(Path file, boolean graph) throws InvalidProblemException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return new NpzReader(file, zip, graph).read();
        } catch (IOException e) {
            throw new InvalidProblemException(
                    file.toString(), "cannot be read as a zip archive: " + e.getMessage(), "get the file again");
        }
    }

    private SparseMatrix read() throws IOException, InvalidProblemException {
        String format = format();
        int size = size();
        SparseMatrix matrix =
                switch (format) {
                    case "csr" -> compressed(size);
                    case "csc" -> compressed(size).transpose();
                    case "coo" -> coordinates(size);
                    default -> throw fault("format", "has the format " + format, AS_CSR);
                };
        // Transposing twice sorts every row in linear time.
        return isSorted(matrix) ? matrix : summed(matrix.transpose().transpose());
    }

    private String format() throws IOException, InvalidProblemException {
        try (NpyReader in = open("format", NpyType.Kind.TEXT)) {
            if (in.size() != 1 || in.header().type().bytes() > 8) {
                throw in.fault("is no name of a format", AS_CSR);
            }
            return in.text();
        }
    }

    private int size() throws IOException, InvalidProblemException {
        try (NpyReader in = open("shape", NpyType.Kind.SIGNED)) {
            if (in.size() != 2) {
                throw in.fault("has " + in.size() + " extents", "a matrix has two; " + AS_CSR);
            }
            int rows = in.nextIndex(1, SparseMatrix.MOST);
            int columns = in.nextIndex(1, SparseMatrix.MOST);
            if (rows != columns) {
                throw in.fault(
                        "says that the matrix is " + rows + " × " + columns,
                        (graph ? "a graph" : "a linear system") + " needs a square matrix");
            }
            return rows;
        }
    }

    /** Rows, or columns of which it makes rows. */
    private SparseMatrix compressed(int size) throws IOException, InvalidProblemException {
        double[] values = values();
        int[] starts = indices("indptr", size + 1L, 0, values.length);
        for (int row = 0; row < size; row++) {
            if (starts[row] > starts[row + 1]) {
                throw fault(
                        "indptr",
                        "element " + (row + 1) + " is " + starts[row + 1] + ", less than the one before, "
                                + starts[row],
                        AS_CSR);
            }
        }
        if (starts[0] != 0 || starts[size] != values.length) {
            throw fault(
                    "indptr",
                    "goes from " + starts[0] + " to " + starts[size],
                    "it must go from 0 to " + values.length
                            + ", the number of entries; call A.prune() and write it again");
        }
        return new SparseMatrix(starts, indices("indices", values.length, 0, size - 1), values);
    }

    private SparseMatrix coordinates(int size) throws IOException, InvalidProblemException {
        double[] values = values();
        // Before anything of the size of the matrix is reserved.
        if ((graph ? MatrixMarketReader.MOST_VERTICES_PER_EDGE : 1) * values.length < size) {
            throw fault(
                    "shape",
                    "says that there are " + size + " rows, but there are only " + values.length + " entries",
                    graph ? "leave out vertices without an edge" : "complete the matrix; as it is, it is singular");
        }
        int[] rows = indices("row", values.length, 0, size - 1);
        int[] columns = indices("col", values.length, 0, size - 1);
        int[] starts = new int[size + 1];
        for (int row : rows) {
            starts[row + 1]++;
        }
        for (int row = 0; row < size; row++) {
            starts[row + 1] += starts[row];
        }
        int[] next = starts.clone();
        int[] sortedColumns = new int[values.length];
        double[] sortedValues = new double[values.length];
        for (int k = 0; k < values.length; k++) {
            int slot = next[rows[k]]++;
            sortedColumns[slot] = columns[k];
            sortedValues[slot] = values[k];
        }
        return new SparseMatrix(starts, sortedColumns, sortedValues);
    }

    private double[] values() throws IOException, InvalidProblemException {
        try (NpyReader in = open("data")) {
            NpyType type = in.header().type();
            boolean isUsable = type.isNumber() || (graph && type.kind() == NpyType.Kind.FLAG);
            if (!isUsable) {
                throw in.fault("has elements of type " + type.name() + ", " + what(type.kind()), remedy(type.kind()));
            }
            int size = vector(in, SparseMatrix.MOST);
            double[] values = new double[Math.min(size, FIRST_CAPACITY)];
            for (int k = 0; k < size; k++) {
                if (k == values.length) {
                    values = Arrays.copyOf(values, (int) Math.min(size, 2L * k));
                }
                values[k] = in.nextReal();
            }
            in.expectEnd();
            return values;
        }
    }

    private static String what(NpyType.Kind kind) {
        return switch (kind) {
            case COMPLEX -> "complex numbers";
            case OBJECT -> "objects of Python";
            case FLAG -> "a pattern without values";
            case TEXT -> "texts";
            case REAL, SIGNED, UNSIGNED, OTHER -> "which cannot be read";
        };
    }

    private static String remedy(NpyType.Kind kind) {
        return kind == NpyType.Kind.COMPLEX
                ? "give a real matrix; complex ones are not supported"
                : "write A.astype(\"float64\")";
    }

    private int[] indices(String name, long count, int least, int most) throws IOException, InvalidProblemException {
        try (NpyReader in = open(name)) {
            NpyType type = in.header().type();
            if (!type.isWhole()) {
                throw in.fault("has elements of type " + type.name(), "indices are whole numbers; " + AS_CSR);
            }
            int size = vector(in, SparseMatrix.MOST);
            if (size != count) {
                throw in.fault("has " + size + " elements", "it must have " + count + "; " + AS_CSR);
            }
            int[] values = new int[Math.min(size, FIRST_CAPACITY)];
            for (int k = 0; k < size; k++) {
                if (k == values.length) {
                    values = Arrays.copyOf(values, (int) Math.min(size, 2L * k));
                }
                values[k] = in.nextIndex(least, most);
            }
            in.expectEnd();
            return values;
        }
    }

    private static int vector(NpyReader in, int most) throws InvalidProblemException {
        NpyHeader header = in.header();
        if (!header.isVector()) {
            throw in.fault("is " + header.shapeText(), "it must have one axis; " + AS_CSR);
        }
        if (in.size() > most) {
            throw in.fault("has " + in.size() + " elements", "at most " + most + " are supported (32-bit indices)");
        }
        return (int) in.size();
    }

    private NpyReader open(String name, NpyType.Kind kind) throws IOException, InvalidProblemException {
        NpyReader in = open(name);
        if (in.header().type().kind() != kind) {
            in.close();
            throw in.fault("has elements of type " + in.header().type().name(), AS_CSR);
        }
        return in;
    }

    private NpyReader open(String name) throws IOException, InvalidProblemException {
        ZipEntry entry = zip.getEntry(name + ".npy");
        if (entry == null) {
            throw new InvalidProblemException(
                    file.toString(), "has no array " + name + ", so it is no sparse matrix of SciPy", AS_CSR);
        }
        return NpyReader.open(new CheckedEntry(zip, entry), subject(name));
    }

    private InvalidProblemException fault(String name, String fault, String remedy) {
        return new InvalidProblemException(subject(name), fault, remedy);
    }

    private String subject(String name) {
        return file + " array " + name + ":";
    }

    /** Whether columns ascend in every row, none twice. */
    private static boolean isSorted(SparseMatrix matrix) {
        int[] start = matrix.rowStart();
        int[] column = matrix.columns();
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = start[row] + 1; k < start[row + 1]; k++) {
                if (column[k] <= column[k - 1]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Adds up entries of one place, which stand beside each other. */
    private static SparseMatrix summed(SparseMatrix sorted) {
        int[] start = new int[sorted.size() + 1];
        int[] column = sorted.columns();
        double[] value = sorted.values();
        int kept = 0;
        for (int row = 0; row < sorted.size(); row++) {
            for (int k = sorted.rowStart()[row]; k < sorted.rowStart()[row + 1]; k++) {
                if (kept > start[row] && column[kept - 1] == column[k]) {
                    value[kept - 1] += value[k];
                } else {
                    column[kept] = column[k];
                    value[kept++] = value[k];
                }
            }
            start[row + 1] = kept;
        }
        return kept == column.length
                ? sorted
                : new SparseMatrix(start, Arrays.copyOf(column, kept), Arrays.copyOf(value, kept));
    }

    /** An array in the archive, whose checksum is compared at its end. */
    private static final class CheckedEntry extends CheckedInputStream {
        private final ZipEntry entry;

        CheckedEntry(ZipFile zip, ZipEntry entry) throws IOException {
            super(zip.getInputStream(entry), new CRC32());
            this.entry = entry;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            checkAtEnd(value);
            return value;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int count = super.read(buffer, from, length);
            checkAtEnd(count);
            return count;
        }

        private void checkAtEnd(int result) throws IOException {
            if (result < 0 && getChecksum().getValue() != entry.getCrc()) {
                throw new IOException("its checksum is wrong: the archive is damaged");
            }
        }
    }
}
