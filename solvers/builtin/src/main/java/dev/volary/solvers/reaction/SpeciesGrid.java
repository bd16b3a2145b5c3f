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
    private final int[] lowHalo = {NONE, NONE, NONE};
    private final int[] highHalo = {NONE, NONE, NONE};

    SpeciesGrid(Decomposition decomposition, int id) {
        GridFaces faces = GridFaces.of(decomposition, id);
        core = points(faces.core());
        layout = new GhostGrid(core);
        for (int axis = 0; axis < core.axes(); axis++) {
            lowHalo[layout.direction(axis)] = faces.low(axis + 1).orElse(NONE);
            highHalo[layout.direction(axis)] = faces.high(axis + 1).orElse(NONE);
        }
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
        return layout.extent(direction);
    }

    /** Distance of neighbors in an array. */
    int stride(int direction) {
        return switch (direction) {
            case 0 -> layout.whole().planeStride();
            case 1 -> layout.whole().rowStride();
            default -> 1;
        };
    }

    /** Index of the first point of a row in an array. */
    int row(int plane, int row) {
        return layout.index(plane, row, 0);
    }

    /** An array of zeros for each species. */
    double[][] allocate() {
        return new double[][] {layout.allocate(), layout.allocate()};
    }

    void setCore(double[][] grids, double[] values) {
        for (int species = 0; species < grids.length; species++) {
            layout.setCore(grids[species], values, species * size());
        }
    }

    void copyCore(double[][] grids, double[] target) {
        for (int species = 0; species < grids.length; species++) {
            layout.copyCore(grids[species], target, species * size());
        }
    }

    /** Adds one grid to another, on the core. */
    void add(double[][] change, double[][] to) {
        for (int species = 0; species < to.length; species++) {
            for (int plane = 0; plane < extent(0); plane++) {
                for (int row = 0; row < extent(1); row++) {
                    int start = row(plane, row);
                    for (int i = start; i < start + extent(2); i++) {
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
        for (int species = 0; species < grids.length; species++) {
            layout.read(grids[species], face, target, species * face.size());
        }
    }

    /** Copies the halos into the ghosts that belong to other blocks. Ghosts beyond the boundary are left to {@link #mirror}. */
    void readHalos(double[][] grids, Halos halos) {
        for (int direction = 0; direction < 3; direction++) {
            if (lowHalo[direction] != NONE) {
                setGhosts(grids, direction, false, halos.values(lowHalo[direction]));
            }
            if (highHalo[direction] != NONE) {
                setGhosts(grids, direction, true, halos.values(highHalo[direction]));
            }
        }
    }

    private void setGhosts(double[][] grids, int direction, boolean high, double[] values) {
        int face = size() / extent(direction);
        for (int species = 0; species < grids.length; species++) {
            layout.setGhosts(grids[species], direction, high, values, species * face);
        }
    }

    /** Copies what lies beside the boundary into the ghosts beyond it. */
    void mirror(double[][] grids) {
        for (int direction = 3 - core.axes(); direction < 3; direction++) {
            if (lowHalo[direction] == NONE) {
                mirror(grids, direction, -1, 1);
            }
            if (highHalo[direction] == NONE) {
                mirror(grids, direction, extent(direction), extent(direction) - 2);
            }
        }
    }

    private void mirror(double[][] grids, int direction, int ghost, int layer) {
        int outer = direction == 0 ? 1 : 0;
        int inner = direction == 2 ? 1 : 2;
        int along = stride(inner);
        int back = (layer - ghost) * stride(direction);
        for (double[] grid : grids) {
            for (int i = 0; i < extent(outer); i++) {
                int to = row(0, 0) + ghost * stride(direction) + i * stride(outer);
                for (int j = 0; j < extent(inner); j++) {
                    grid[to + j * along] = grid[to + j * along + back];
                }
            }
        }
    }
}
