// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** Adds interpolated corrections of a level to the next finer one, plane by plane. */
final class Interpolation {
    private final GridLevel fine;
    private final GridLevel coarse;
    /** One coarse row; element 0 belongs to the ghost before the first point inside, and one after the last ghost is zero. */
    private final double[] line;
    /** What is added to a fine row, from its first point or ghost. */
    private final double[] increments;
    /** The coarse rows beside a fine row, by array index, and their weights. */
    private final int[] coarseRows = new int[4];

    private final double[] weights = new double[4];

    Interpolation(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        line = new double[coarse.inside.extent(2) + 3];
        increments = new double[fine.withGhosts.extent(2)];
    }

    /** {@code fine.u += P values} everywhere, for values laid out as those of the coarse level. */
    void add(double[] values) {
        for (int z = fine.withGhosts.lo(0); z <= fine.withGhosts.hi(0); z++) {
            for (int y = fine.withGhosts.lo(1); y <= fine.withGhosts.hi(1); y++) {
                interpolateRow(values, z, y);
                addRow(z, y);
            }
        }
    }

    /**
     * {@code fine.u += P coarse.c} in a plane, ghosts included. With an obstacle, points that are fixed or in contact with it stay, and
     * the others are lifted to it.
     */
    void correctPlane(int z) {
        for (int y = fine.withGhosts.lo(1); y <= fine.withGhosts.hi(1); y++) {
            interpolateRow(coarse.c, z, y);
            if (fine.isConstrained()) {
                fine.kernel.addAbove(
                        increments, fine.u, fine.lower, fine.fixed, fineIndex(z, y), fine.obstacleShift(z, y));
            } else {
                addRow(z, y);
            }
        }
    }

    private void interpolateRow(double[] values, int z, int y) {
        interpolateLine(values, z, y);
        int first = fine.withGhosts.lo(2);
        int last = fine.withGhosts.hi(2);
        // Points beyond twice the number of coarse points lie in the last coarse cell, which may have another length.
        int regular = Math.min(last, 2 * coarse.columns.n);
        int x = first;
        if ((x & 1) == 1 && x <= last) {
            increments[0] = interpolated(x);
            x++;
        }
        int pairs = Math.max(0, (regular - x + 1) / 2);
        RowLoops.spread(line, x / 2 - coarse.inside.lo(2) + 1, increments, x - first, pairs);
        for (x += 2 * pairs; x <= last; x++) {
            increments[x - first] = interpolated(x);
        }
    }

    private double interpolated(int x) {
        int below = fine.columns.below[x] - coarse.inside.lo(2) + 1;
        return fine.columns.fromBelow[x] * line[below] + fine.columns.fromAbove[x] * line[below + 1];
    }

    /** Interpolates a coarse row at a fine plane and row. */
    private void interpolateLine(double[] values, int z, int y) {
        AxisLevel planes = fine.planes;
        AxisLevel rows = fine.rows;
        take(0, planes.below[z], rows.below[y], planes.fromBelow[z] * rows.fromBelow[y]);
        take(1, planes.below[z], rows.below[y] + 1, planes.fromBelow[z] * rows.fromAbove[y]);
        take(2, planes.below[z] + 1, rows.below[y], planes.fromAbove[z] * rows.fromBelow[y]);
        take(3, planes.below[z] + 1, rows.below[y] + 1, planes.fromAbove[z] * rows.fromAbove[y]);
        fine.kernel.combine(weights, values, coarseRows, line, coarse.inside.extent(2) + 2);
    }

    /** A row without weight may not exist; any other serves. */
    private void take(int k, int plane, int row, double weight) {
        weights[k] = weight;
        coarseRows[k] = weight == 0 ? coarseRows[0] : coarse.index(plane, row, coarse.inside.lo(2) - 1);
    }

    private void addRow(int z, int y) {
        fine.kernel.add(1, increments, 0, fine.u, fineIndex(z, y), increments.length);
    }

    private int fineIndex(int z, int y) {
        return fine.index(z, y, fine.withGhosts.lo(2));
    }
}
