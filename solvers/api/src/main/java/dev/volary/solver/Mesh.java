// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.io.IOException;

/**
 * Says where the unknowns of a vector lie that form no uniform grid, and which of them are the corners of a cell. Results store it beside
 * the field, so that pictures and exports need no input file.
 *
 * <p>Only the process that writes the result reads it, number by number: an implementation need not keep it in memory.
 */
public interface Mesh {

    /** Takes numbers in their order. */
    @FunctionalInterface
    interface Sink {
        void accept(double value) throws IOException;
    }

    /** Number of points, one for each unknown, in the order of the unknowns. */
    int points();

    /** Coordinates of a point: 2 or 3. */
    int axes();

    /** Number of cells; 0 if only the points are known. */
    int cells();

    /**
     * Points of a cell: 2 for lines, 3 for triangles, 4 for quadrilaterals with 2 axes and for tetrahedra with 3 axes. The corners of a
     * quadrilateral follow each other round it, as in VTK.
     */
    int corners();

    /**
     * Gives the coordinates, point by point: x, y and, with 3 axes, z.
     *
     * @throws IOException if they cannot be read, or from the sink
     */
    void readCoordinates(Sink sink) throws IOException;

    /**
     * Gives the corners, cell by cell: points counted from 0.
     *
     * @throws IOException if they cannot be read, or from the sink
     */
    void readCells(Sink sink) throws IOException;
}
