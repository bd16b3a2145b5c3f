// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Mesh;
import dev.volary.solver.npy.NpyHeader;
import dev.volary.solver.npy.NpyReader;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mesh of a linear system, as files of NumPy give it. Opening looks at types and shapes only; the numbers are read once by
 * {@link #check} and again when a result is written, and are never all in memory. Without a file of cells, the cells are the edges of the
 * matrix's graph.
 */
final class InputMesh implements Mesh {
    private static final int EDGE_CORNERS = 2;

    private final Path coordinates;
    private final @Nullable Path cells;
    private final @Nullable SparseMatrix pattern;
    private final int points;
    private final int axes;
    private final int count;
    private final int corners;

    private InputMesh(
            Path coordinates,
            @Nullable Path cells,
            @Nullable SparseMatrix pattern,
            int points,
            int axes,
            int count,
            int corners) {
        this.coordinates = coordinates;
        this.cells = cells;
        this.pattern = pattern;
        this.points = points;
        this.axes = axes;
        this.count = count;
        this.corners = corners;
    }

    /**
     * Opens a mesh whose cells a file gives.
     *
     * @param points unknowns of the system
     * @throws InvalidProblemException naming the file, its type or shape, and the remedy
     */
    static InputMesh open(Path coordinates, Path cells, int points) throws InvalidProblemException {
        int axes = axesOf(coordinates, points);
        try (NpyReader in = NpyReader.open(cells)) {
            NpyHeader header = in.header();
            if (!header.type().isWhole()) {
                throw in.fault(
                        "has elements of type " + header.type().name(), "write whole numbers: cells.astype(\"int64\")");
            }
            List<Long> shape = header.shape();
            if (shape.size() != 2 || shape.get(1) < 2 || shape.get(1) > 4) {
                throw in.fault(
                        "is " + header.shapeText(),
                        "cells have one row each, of 3 points for triangles, "
                                + (axes == 2 ? "4 for quadrilaterals" : "4 for tetrahedra") + " or 2 for lines");
            }
            if (shape.getFirst() < 1 || shape.getFirst() > SparseMatrix.MOST) {
                throw in.fault(
                        "is " + header.shapeText(),
                        "give 1 to " + SparseMatrix.MOST
                                + " cells, or remove the parameter to show the matrix's graph");
            }
            return new InputMesh(
                    coordinates,
                    cells,
                    null,
                    points,
                    axes,
                    shape.getFirst().intValue(),
                    shape.get(1).intValue());
        }
    }

    /**
     * Opens a mesh whose cells are the edges of a matrix's graph.
     *
     * @param matrix as the file has it, columns ascending in each row
     * @throws InvalidProblemException naming the file, its type or shape, and the remedy
     */
    static InputMesh ofPattern(Path coordinates, SparseMatrix matrix) throws InvalidProblemException {
        int axes = axesOf(coordinates, matrix.size());
        return new InputMesh(coordinates, null, matrix, matrix.size(), axes, edges(matrix), EDGE_CORNERS);
    }

    private static int axesOf(Path file, int points) throws InvalidProblemException {
        try (NpyReader in = NpyReader.open(file)) {
            NpyHeader header = in.header();
            if (!header.type().isNumber()) {
                throw in.fault(
                        "has elements of type " + header.type().name(), "write real numbers: xy.astype(\"float64\")");
            }
            for (int axes = 2; axes <= 3; axes++) {
                if (header.shape().equals(List.of((long) points, (long) axes))) {
                    return axes;
                }
            }
            throw in.fault(
                    "is " + header.shapeText(),
                    "for this matrix it must be " + points + " × 2 or " + points
                            + " × 3: the coordinates of each unknown");
        }
    }

    /**
     * Reads all numbers.
     *
     * @throws InvalidProblemException if a coordinate is not finite, a cell has a point that does not exist, or a file ends early
     */
    void check() throws InvalidProblemException {
        try {
            forEachCoordinate(value -> {});
            if (cells != null) {
                forEachCorner(cells, value -> {});
            }
        } catch (IOException e) {
            throw new IllegalStateException("no sink that fails was given", e);
        }
    }

    @Override
    public int points() {
        return points;
    }

    @Override
    public int axes() {
        return axes;
    }

    @Override
    public int cells() {
        return count;
    }

    @Override
    public int corners() {
        return corners;
    }

    @Override
    public void readCoordinates(Sink sink) throws IOException {
        try {
            forEachCoordinate(sink);
        } catch (InvalidProblemException e) {
            throw changed(e);
        }
    }

    @Override
    public void readCells(Sink sink) throws IOException {
        if (cells == null) {
            forEachEdge(pattern(), sink);
            return;
        }
        try {
            forEachCorner(cells, sink);
        } catch (InvalidProblemException e) {
            throw changed(e);
        }
    }

    /** The files were in order when the job started. */
    private static IOException changed(InvalidProblemException e) {
        return new IOException("the mesh changed while the job ran: " + e.getMessage(), e);
    }

    private SparseMatrix pattern() {
        if (pattern == null) {
            throw new IllegalStateException("a mesh has a file of cells, or a pattern");
        }
        return pattern;
    }

    private void forEachCoordinate(Sink sink) throws InvalidProblemException, IOException {
        forEachRow(coordinates, points, axes, NpyReader::nextReal, sink);
    }

    private void forEachCorner(Path file, Sink sink) throws InvalidProblemException, IOException {
        forEachRow(file, count, corners, in -> in.nextIndex(0, points - 1), sink);
    }

    private interface Next {
        double of(NpyReader in) throws InvalidProblemException;
    }

    /** Reads an array row by row: one that is stored column by column through a reader for each column. */
    private static void forEachRow(Path file, int rows, int columns, Next next, Sink sink)
            throws InvalidProblemException, IOException {
        List<NpyReader> readers = new ArrayList<>();
        try {
            readers.add(NpyReader.open(file));
            boolean byColumns = readers.getFirst().header().isFortranOrder();
            for (int column = 1; byColumns && column < columns; column++) {
                NpyReader reader = NpyReader.open(file);
                readers.add(reader);
                for (long skipped = 0; skipped < (long) column * rows; skipped++) {
                    next.of(reader);
                }
            }
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    sink.accept(next.of(readers.get(byColumns ? column : 0)));
                }
            }
            readers.getLast().expectEnd();
        } finally {
            readers.forEach(NpyReader::close);
        }
    }

    private static int edges(SparseMatrix matrix) {
        long[] corners = new long[1];
        try {
            forEachEdge(matrix, corner -> corners[0]++);
        } catch (IOException e) {
            throw new IllegalStateException("counting does not fail", e);
        }
        return Math.toIntExact(corners[0] / EDGE_CORNERS);
    }

    /** Each pair of unknowns once that an entry in either triangle connects, the smaller first where the upper triangle has it. */
    private static void forEachEdge(SparseMatrix matrix, Sink sink) throws IOException {
        for (int row = 0; row < matrix.size(); row++) {
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                int column = matrix.columns()[k];
                if (column > row || (column < row && !connects(matrix, column, row))) {
                    sink.accept(row);
                    sink.accept(column);
                }
            }
        }
    }

    private static boolean connects(SparseMatrix matrix, int from, int to) {
        return Arrays.binarySearch(matrix.columns(), matrix.rowStart()[from], matrix.rowStart()[from + 1], to) >= 0;
    }
}
