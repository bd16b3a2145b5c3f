// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Box;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where the points of a box and one layer of ghosts round it lie in an array: row major, rows padded to whole cache lines.
 * Works for two and three axes; a two-dimensional grid is one plane without ghost planes.
 *
 * <p>Coordinates here are relative to the core: −1 and the extent are ghosts.
 */
public final class GhostGrid {
    private static final int LINE = 8;
    /** Rows that lie a whole number of 4 KiB pages apart compete for the same lines of the first-level cache. */
    private static final int PAGE = 512;

    private final Box core;
    private final int planes;
    private final int rows;
    private final int columns;
    private final int rowStride;
    private final int planeStride;
    private final int origin;
    private final int length;
    private final SweepRegion whole;

    /**
     * @throws IllegalArgumentException if the box has neither two nor three axes, or the array would be too long
     */
    public GhostGrid(Box core) {
        if (core.axes() != 2 && core.axes() != 3) {
            throw new IllegalArgumentException("a ghost grid has 2 or 3 axes, not " + core.axes());
        }
        this.core = core;
        boolean solid = core.axes() == 3;
        planes = solid ? core.extent(0) : 1;
        rows = core.extent(core.axes() - 2);
        columns = core.extent(core.axes() - 1);
        int padded = Math.ceilDiv(columns + 2, LINE) * LINE;
        rowStride = padded % PAGE == 0 ? padded + LINE : padded;
        long plane = (rows + 2L) * rowStride;
        long first = LINE + rowStride + (solid ? plane : 0);
        long end = first + (solid ? planes * plane : 0) + (long) rows * rowStride + columns + 1;
        if (end > Integer.MAX_VALUE - LINE) {
            throw new IllegalArgumentException("the box " + core + " needs an array of " + end + " elements");
        }
        planeStride = (int) plane;
        origin = (int) first;
        length = (int) end;
        whole = patch(0, planes, 0, rows, 0, columns);
    }

    /** The points this grid holds, without ghosts. */
    public Box core() {
        return core;
    }

    /** Elements of an array for this grid. */
    int length() {
        return length;
    }

    /** An array of zeros for this grid. */
    public double[] allocate() {
        return new double[length];
    }

    /** Array index of a point or ghost. */
    public int index(int plane, int row, int column) {
        return origin + plane * planeStride + row * rowStride + column;
    }

    /** Points along an axis, with planes, rows and columns numbered 0, 1, 2 on every grid. */
    public int extent(int direction) {
        return switch (direction) {
            case 0 -> planes;
            case 1 -> rows;
            default -> columns;
        };
    }

    /** The direction (planes 0, rows 1, columns 2) of an axis of the core. */
    public int direction(int axis) {
        return axis + 3 - core.axes();
    }

    /** All points of the core. */
    public SweepRegion whole() {
        return whole;
    }

    /** The points of some planes, {@code lo} inclusive, {@code hi} exclusive. */
    public SweepRegion planes(int lo, int hi) {
        return patch(lo, hi, 0, rows, 0, columns);
    }

    /** The points with {@code lo ≤ coordinate < hi} on each of planes, rows and columns. */
    SweepRegion patch(int planeLo, int planeHi, int rowLo, int rowHi, int columnLo, int columnHi) {
        return new SweepRegion(
                index(planeLo, rowLo, columnLo),
                planeHi - planeLo,
                rowHi - rowLo,
                columnHi - columnLo,
                rowStride,
                planeStride);
    }

    /** Copies the core out of {@code grid}, in row-major order. */
    public void copyCore(double[] grid, double[] target) {
        copyCore(grid, target, 0);
    }

    /** Copies the core out of {@code grid}, in row-major order, to {@code target} from {@code offset} on. */
    public void copyCore(double[] grid, double[] target, int offset) {
        copyOut(grid, whole, target, offset);
    }

    /** Saves the core's values in row-major order. */
    public void writeCore(double[] grid, DataOutput out) throws IOException {
        SavedArrays.Writer writer = new SavedArrays.Writer(out, core.size());
        for (int plane = 0; plane < whole.planes(); plane++) {
            for (int row = 0; row < whole.rows(); row++) {
                writer.put(grid, whole.row(plane, row), whole.columns());
            }
        }
        writer.flush();
    }

    /** Copies core values in row-major order into {@code grid}. */
    public void setCore(double[] grid, double[] values) {
        setCore(grid, values, 0);
    }

    /** Copies core values in row-major order, which begin at {@code offset}, into {@code grid}. */
    public void setCore(double[] grid, double[] values, int offset) {
        copyIn(grid, whole, values, offset);
    }

    /** Copies a patch out of an array, in row-major order. */
    static void copyOut(double[] grid, SweepRegion patch, double[] target) {
        copyOut(grid, patch, target, 0);
    }

    private static void copyOut(double[] grid, SweepRegion patch, double[] target, int offset) {
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int at = offset + (plane * patch.rows() + row) * patch.columns();
                System.arraycopy(grid, patch.row(plane, row), target, at, patch.columns());
            }
        }
    }

    /** Copies values in row-major order into a patch of an array. */
    static void copyIn(double[] grid, SweepRegion patch, double[] values) {
        copyIn(grid, patch, values, 0);
    }

    private static void copyIn(double[] grid, SweepRegion patch, double[] values, int offset) {
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int at = offset + (plane * patch.rows() + row) * patch.columns();
                System.arraycopy(values, at, grid, patch.row(plane, row), patch.columns());
            }
        }
    }

    /** Copies the values of {@code region}, given in global indices within the core, out of {@code grid}. */
    public void read(double[] grid, Box region, double[] target) {
        read(grid, region, target, 0);
    }

    /** As {@link #read(double[], Box, double[])}, to {@code target} from {@code offset} on. */
    public void read(double[] grid, Box region, double[] target, int offset) {
        int last = region.axes() - 1;
        int planeLo = last == 1 ? 0 : region.lo(0) - core.lo(0);
        int planeCount = last == 1 ? 1 : region.extent(0);
        int rowLo = region.lo(last - 1) - core.lo(last - 1);
        int columnLo = region.lo(last) - core.lo(last);
        int rowCount = region.extent(last - 1);
        int columnCount = region.extent(last);
        int next = offset;
        for (int plane = planeLo; plane < planeLo + planeCount; plane++) {
            for (int row = rowLo; row < rowLo + rowCount; row++) {
                int source = index(plane, row, columnLo);
                for (int i = 0; i < columnCount; i++) {
                    target[next + i] = grid[source + i];
                }
                next += columnCount;
            }
        }
    }

    /** The points and ghosts of a box given in global indices. */
    SweepRegion patch(Box region) {
        int last = region.axes() - 1;
        boolean solid = last == 2;
        return patch(
                solid ? region.lo(0) - core.lo(0) : 0,
                solid ? region.hi(0) - core.lo(0) : 1,
                region.lo(last - 1) - core.lo(last - 1),
                region.hi(last - 1) - core.lo(last - 1),
                region.lo(last) - core.lo(last),
                region.hi(last) - core.lo(last));
    }

    /** Copies halo values, the whole face in row-major order, into the ghosts of one face. */
    void setGhosts(double[] grid, int direction, boolean high, double[] values) {
        setGhosts(grid, direction, high, values, 0);
    }

    /**
     * Copies halo values into the ghosts of one face.
     *
     * @param direction planes 0, rows 1, columns 2
     * @param high whether the face lies above the last index
     * @param values the whole face, in row-major order
     * @param offset where it begins in {@code values}
     */
    public void setGhosts(double[] grid, int direction, boolean high, double[] values, int offset) {
        int at = high ? extent(direction) : -1;
        int planeLo = direction == 0 ? at : 0;
        int planeHi = direction == 0 ? at + 1 : planes;
        int rowLo = direction == 1 ? at : 0;
        int rowHi = direction == 1 ? at + 1 : rows;
        int columnLo = direction == 2 ? at : 0;
        int columnCount = direction == 2 ? 1 : columns;
        int next = offset;
        for (int plane = planeLo; plane < planeHi; plane++) {
            for (int row = rowLo; row < rowHi; row++) {
                int target = index(plane, row, columnLo);
                for (int i = 0; i < columnCount; i++) {
                    grid[target + i] = values[next + i];
                }
                next += columnCount;
            }
        }
    }
}
