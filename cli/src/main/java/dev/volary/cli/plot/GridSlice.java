// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import java.io.IOException;
import java.util.Arrays;

/** A plane of an array, sampled at the resolution of a picture. Reads one chunk at a time. */
final class GridSlice {
    private static final int MAX_SAMPLES = 1024;

    private final int rowAxis;
    private final int columnAxis;
    private final int rows;
    private final int columns;
    private final double[][] values;

    private GridSlice(int rowAxis, int columnAxis, int rows, int columns, double[][] values) {
        this.rowAxis = rowAxis;
        this.columnAxis = columnAxis;
        this.rows = rows;
        this.columns = columns;
        this.values = values;
    }

    /**
     * Reads a plane.
     *
     * @param at the index on each axis; the entries of the two axes of the plane are ignored
     */
    static GridSlice read(ZarrArray array, int rowAxis, int columnAxis, int[] at) throws IOException {
        ChunkGrid grid = array.grid();
        int rows = grid.shape()[rowAxis];
        int columns = grid.shape()[columnAxis];
        double[][] values = new double[Math.min(rows, MAX_SAMPLES)][Math.min(columns, MAX_SAMPLES)];
        for (double[] row : values) {
            Arrays.fill(row, Double.NaN);
        }
        GridSlice plane = new GridSlice(rowAxis, columnAxis, rows, columns, values);
        for (long number = 0; number < grid.chunks(); number++) {
            int[] coordinates = grid.coordinates(number);
            if (plane.crosses(grid.lo(coordinates), grid.hi(coordinates), at)) {
                plane.take(array.readChunk(coordinates), grid.lo(coordinates), grid.hi(coordinates), at);
            }
        }
        return plane;
    }

    /** The axis that runs upwards. */
    int rowAxis() {
        return rowAxis;
    }

    /** The axis that runs to the right. */
    int columnAxis() {
        return columnAxis;
    }

    /** Extent of the array on the row axis. */
    int rows() {
        return rows;
    }

    /** Extent of the array on the column axis. */
    int columns() {
        return columns;
    }

    /** The smallest value, or NaN if there is none. */
    double min() {
        return Arrays.stream(values)
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
    }

    /** The largest value, or NaN if there is none. */
    double max() {
        return Arrays.stream(values)
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** The interpolated value at a position from 0 to 1 on both axes. */
    double at(double up, double right) {
        double r = Math.clamp(up * values.length - 0.5, 0, values.length - 1);
        double c = Math.clamp(right * values[0].length - 0.5, 0, values[0].length - 1);
        int r0 = (int) r;
        int c0 = (int) c;
        int r1 = Math.min(r0 + 1, values.length - 1);
        int c1 = Math.min(c0 + 1, values[0].length - 1);
        double below = values[r0][c0] + (c - c0) * (values[r0][c1] - values[r0][c0]);
        double above = values[r1][c0] + (c - c0) * (values[r1][c1] - values[r1][c0]);
        return below + (r - r0) * (above - below);
    }

    private boolean crosses(int[] lo, int[] hi, int[] at) {
        for (int a = 0; a < lo.length; a++) {
            if (a != rowAxis && a != columnAxis && (at[a] < lo[a] || at[a] >= hi[a])) {
                return false;
            }
        }
        return true;
    }

    private void take(double[] chunk, int[] lo, int[] hi, int[] at) {
        int[] index = at.clone();
        for (int i = 0; i < values.length; i++) {
            index[rowAxis] = sampled(i, values.length, rows);
            if (index[rowAxis] < lo[rowAxis] || index[rowAxis] >= hi[rowAxis]) {
                continue;
            }
            for (int j = 0; j < values[i].length; j++) {
                index[columnAxis] = sampled(j, values[i].length, columns);
                if (index[columnAxis] >= lo[columnAxis] && index[columnAxis] < hi[columnAxis]) {
                    values[i][j] = chunk[offset(index, lo, hi)];
                }
            }
        }
    }

    private static int sampled(int sample, int samples, int extent) {
        return (int) ((sample + 0.5) * extent / samples);
    }

    private static int offset(int[] index, int[] lo, int[] hi) {
        int offset = 0;
        for (int a = 0; a < index.length; a++) {
            offset = offset * (hi[a] - lo[a]) + index[a] - lo[a];
        }
        return offset;
    }
}
