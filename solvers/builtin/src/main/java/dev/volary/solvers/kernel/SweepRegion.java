// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

/**
 * A box of points within an array that holds a {@link GhostGrid}: what one sweep works on.
 *
 * @param start array index of the first point
 * @param planes number of planes, 1 on a two-dimensional grid
 * @param rows rows of each plane
 * @param columns consecutive points of each row
 * @param rowStride distance of neighboring rows
 * @param planeStride distance of neighboring planes
 */
public record SweepRegion(int start, int planes, int rows, int columns, int rowStride, int planeStride) {

    /** Number of points. */
    int size() {
        return planes * rows * columns;
    }

    /** Array index of the first point of a row. */
    public int row(int plane, int row) {
        return start + plane * planeStride + row * rowStride;
    }
}
