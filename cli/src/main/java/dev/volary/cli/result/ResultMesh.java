// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mesh that a result stores beside its field: the places of the values and the cells between them. Reads it in pieces.
 *
 * @param coordinates a row of 2 or 3 for each value
 * @param cells a row of values counted from 0 for each cell; null if there are points only
 */
public record ResultMesh(ZarrArray coordinates, @Nullable ZarrArray cells) {

    /** Cells by their form; the number is that of the VTK file formats. */
    public enum CellForm {
        POINT(1),
        LINE(3),
        TRIANGLE(5),
        QUADRILATERAL(9),
        TETRAHEDRON(10);

        private final int vtkType;

        CellForm(int vtkType) {
            this.vtkType = vtkType;
        }

        int vtkType() {
            return vtkType;
        }
    }

    /** Takes some rows of an array. */
    @FunctionalInterface
    public interface Rows {

        /**
         * @param first number of the first of these rows
         * @param values row by row
         */
        void accept(int first, double[] values) throws IOException;
    }

    /**
     * The mesh of a field; empty if it has none.
     *
     * @throws IOException if it does not fit the field
     */
    static Optional<ResultMesh> of(ZarrGroup group, ZarrArray field) throws IOException {
        Optional<ZarrArray> coordinates = group.meshArray(ZarrGroup.MESH_COORDINATES);
        if (coordinates.isEmpty()) {
            return Optional.empty();
        }
        int[] shape = coordinates.get().grid().shape();
        if (shape.length != 2
                || shape[1] < 2
                || shape[1] > 3
                || shape[0] != field.grid().size()) {
            throw new IOException(group.folder() + " has coordinates that do not fit its field; run the job again");
        }
        ZarrArray cells = group.meshArray(ZarrGroup.MESH_CELLS).orElse(null);
        if (cells != null
                && (cells.grid().axes() != 2
                        || cells.grid().shape()[1] < 2
                        || cells.grid().shape()[1] > 4)) {
            throw new IOException(group.folder() + " has cells of an unknown form; run the job again");
        }
        return Optional.of(new ResultMesh(coordinates.get(), cells));
    }

    public int points() {
        return coordinates.grid().shape()[0];
    }

    /** Coordinates of a point: 2 or 3. */
    public int axes() {
        return coordinates.grid().shape()[1];
    }

    /** Number of cells; without any, each point is one. */
    public int cellCount() {
        return cells == null ? points() : cells.grid().shape()[0];
    }

    public int corners() {
        return cells == null ? 1 : cells.grid().shape()[1];
    }

    public CellForm form() {
        return switch (corners()) {
            case 1 -> CellForm.POINT;
            case 2 -> CellForm.LINE;
            case 3 -> CellForm.TRIANGLE;
            default -> axes() == 2 ? CellForm.QUADRILATERAL : CellForm.TETRAHEDRON;
        };
    }

    /**
     * Gives the corners of all cells.
     *
     * @throws IOException if they cannot be read, or name a point that does not exist
     */
    public void readCells(Rows rows) throws IOException {
        if (cells == null) {
            int piece = coordinates.grid().chunk()[0];
            for (int first = 0; first < points(); first += piece) {
                double[] numbers = new double[Math.min(piece, points() - first)];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = first + i;
                }
                rows.accept(first, numbers);
            }
            return;
        }
        int points = points();
        read(cells, (first, corners) -> {
            for (double corner : corners) {
                if (!(corner >= 0 && corner < points)) {
                    throw new IOException("a cell has the corner " + corner + ", but there are " + points
                            + " points; run the job again");
                }
            }
            rows.accept(first, corners);
        });
    }

    /** Gives the coordinates of all points. */
    public void readCoordinates(Rows rows) throws IOException {
        read(coordinates, rows);
    }

    /** Chunks have whole rows. */
    private static void read(ZarrArray array, Rows rows) throws IOException {
        for (long number = 0; number < array.grid().chunks(); number++) {
            int[] chunk = array.grid().coordinates(number);
            rows.accept(array.grid().lo(chunk)[0], array.readChunk(chunk));
        }
    }
}
