// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridFaces;
import dev.volary.solver.Halos;
import dev.volary.solvers.kernel.GhostGrid;
import java.util.Arrays;

/**
 * Where the concentrations of one block lie: an array for each species, with a layer of ghosts round the core. Cores and halos hold all
 * values of the first species, then those of the second.
 *
 * <p>Directions are planes 0, rows 1 and columns 2. With two axes there is one plane.
 */
final class SpeciesGrid {
    private static final int NONE = -1;

    private final Box core;
    private final GhostGrid layout;
    private final int[] extents = {1, 1, 1};
    private final int[] strides;
    private final int origin;
    private final int[] lowHalo = {NONE, NONE, NONE};
    private final int[] highHalo = {NONE, NONE, NONE};

    SpeciesGrid(Decomposition decomposition, int id) {
        GridFaces faces = GridFaces.of(decomposition, id);
        core = points(faces.core());
        layout = new GhostGrid(core);
        int skipped = 3 - core.axes();
        for (int axis = 0; axis < core.axes(); axis++) {
            extents[skipped + axis] = core.extent(axis);
            lowHalo[skipped + axis] = faces.low(axis + 1).orElse(NONE);
            highHalo[skipped + axis] = faces.high(axis + 1).orElse(NONE);
        }
        origin = layout.index(0, 0, 0);
        strides = new int[] {layout.index(1, 0, 0) - origin, layout.index(0, 1, 0) - origin, 1};
    }

    private static Box points(Box unknowns) {
        int[] lo = new int[unknowns.axes() - 1];
        int[] hi = new int[lo.length];
        Arrays.setAll(lo, axis -> unknowns.lo(axis + 1));
        Arrays.setAll(hi, axis -> unknowns.hi(axis + 1));
        return Box.of(lo, hi);
    }

    /** The points of the core, without the axis of the species. */
    Box core() {
        return core;
    }

    /** Number of points. */
    int size() {
        return core.size();
    }

    int extent(int direction) {
        return extents[direction];
    }

    /** Distance of neighbors in an array. */
    int stride(int direction) {
        return strides[direction];
    }

    /** Index of the first point of a row in an array. */
    int row(int plane, int row) {
        return origin + plane * strides[0] + row * strides[1];
    }

    /** An array of zeros for each species. */
    double[][] allocate() {
        return new double[][] {layout.allocate(), layout.allocate()};
    }

    void setCore(double[][] grids, double[] values) {
        int from = 0;
        for (double[] grid : grids) {
            for (int plane = 0; plane < extents[0]; plane++) {
                for (int row = 0; row < extents[1]; row++) {
                    System.arraycopy(values, from, grid, row(plane, row), extents[2]);
                    from += extents[2];
                }
            }
        }
    }

    void copyCore(double[][] grids, double[] target) {
        int to = 0;
        for (double[] grid : grids) {
            for (int plane = 0; plane < extents[0]; plane++) {
                for (int row = 0; row < extents[1]; row++) {
                    System.arraycopy(grid, row(plane, row), target, to, extents[2]);
                    to += extents[2];
                }
            }
        }
    }

    /** Adds one grid to another, on the core. */
    void add(double[][] change, double[][] to) {
        for (int species = 0; species < to.length; species++) {
            for (int plane = 0; plane < extents[0]; plane++) {
                for (int row = 0; row < extents[1]; row++) {
                    int start = row(plane, row);
                    for (int i = start; i < start + extents[2]; i++) {
                        to[species][i] += change[species][i];
                    }
                }
            }
        }
    }

    /** Copies the values of an outgoing edge. */
    void copyEdge(double[][] grids, Edge edge, double[] target) {
        if (!(edge.values() instanceof Box values)) {
            throw new IllegalArgumentException("edge from " + edge.from() + " to " + edge.to() + " carries no box");
        }
        Box face = points(values);
        int last = face.axes() - 1;
        int planes = last == 1 ? 1 : face.extent(0);
        int firstPlane = last == 1 ? 0 : face.lo(0) - core.lo(0);
        int firstRow = face.lo(last - 1) - core.lo(last - 1);
        int firstColumn = face.lo(last) - core.lo(last);
        int to = 0;
        for (double[] grid : grids) {
            for (int plane = firstPlane; plane < firstPlane + planes; plane++) {
                for (int row = firstRow; row < firstRow + face.extent(last - 1); row++) {
                    System.arraycopy(grid, row(plane, row) + firstColumn, target, to, face.extent(last));
                    to += face.extent(last);
                }
            }
        }
    }

    /** Copies the halos into the ghosts that belong to other blocks. Ghosts beyond the boundary are left to {@link #mirror}. */
    void readHalos(double[][] grids, Halos halos) {
        for (int direction = 0; direction < 3; direction++) {
            if (lowHalo[direction] != NONE) {
                setGhosts(grids, direction, -1, halos.values(lowHalo[direction]));
            }
            if (highHalo[direction] != NONE) {
                setGhosts(grids, direction, extents[direction], halos.values(highHalo[direction]));
            }
        }
    }

    private void setGhosts(double[][] grids, int direction, int layer, double[] values) {
        int outer = direction == 0 ? 1 : 0;
        int inner = direction == 2 ? 1 : 2;
        int from = 0;
        for (double[] grid : grids) {
            for (int i = 0; i < extents[outer]; i++) {
                int to = origin + layer * strides[direction] + i * strides[outer];
                for (int j = 0; j < extents[inner]; j++) {
                    grid[to + j * strides[inner]] = values[from++];
                }
            }
        }
    }

    /** Copies what lies beside the boundary into the ghosts beyond it. */
    void mirror(double[][] grids) {
        for (int direction = 3 - core.axes(); direction < 3; direction++) {
            if (lowHalo[direction] == NONE) {
                mirror(grids, direction, -1, 1);
            }
            if (highHalo[direction] == NONE) {
                mirror(grids, direction, extents[direction], extents[direction] - 2);
            }
        }
    }

    private void mirror(double[][] grids, int direction, int ghost, int layer) {
        int outer = direction == 0 ? 1 : 0;
        int inner = direction == 2 ? 1 : 2;
        int back = (layer - ghost) * strides[direction];
        for (double[] grid : grids) {
            for (int i = 0; i < extents[outer]; i++) {
                int to = origin + ghost * strides[direction] + i * strides[outer];
                for (int j = 0; j < extents[inner]; j++) {
                    grid[to + j * strides[inner]] = grid[to + j * strides[inner] + back];
                }
            }
        }
    }
}
