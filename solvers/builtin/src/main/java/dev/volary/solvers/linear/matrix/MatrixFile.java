// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.npy.NpyReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a square sparse matrix from a file of either format: Matrix Market or, recognized by its first bytes, a sparse matrix of
 * SciPy.
 */
public final class MatrixFile {
    private MatrixFile() {}

    /**
     * Reads the matrix of a linear system, which has entries in every row.
     *
     * @throws InvalidProblemException naming the file, the place in it, the fault and the remedy
     */
    public static SparseMatrix read(Path file) throws InvalidProblemException {
        return read(file, false);
    }

    /**
     * Reads the adjacency matrix of a graph, in which rows may be empty and entries may have no values.
     *
     * @throws InvalidProblemException naming the file, the place in it, the fault and the remedy
     */
    public static SparseMatrix readGraph(Path file) throws InvalidProblemException {
        return read(file, true);
    }

    private static SparseMatrix read(Path file, boolean graph) throws InvalidProblemException {
        if (NpyReader.isArray(file)) {
            throw new InvalidProblemException(
                    file.toString(),
                    "is a dense NumPy array",
                    "write a sparse matrix with scipy.sparse.save_npz(FILE, scipy.sparse.csr_array(A))");
        }
        if (isZip(file)) {
            return NpzReader.read(file, graph);
        }
        return graph ? MatrixMarketReader.readGraph(file) : MatrixMarketReader.read(file);
    }

    /** Whether it begins as a zip archive does; false if it cannot be read. */
    private static boolean isZip(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == 'P' && in.read() == 'K';
        } catch (IOException e) {
            return false;
        }
    }
}
