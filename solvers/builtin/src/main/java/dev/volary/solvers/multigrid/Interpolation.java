// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** Adds interpolated corrections of a level to the next finer one, plane by plane. */
final class Interpolation {
    private final GridLevel fine;
    private final GridLevel coarse;
    /** One coarse row; element 0 belongs to the ghost before the first point inside, and one after the last ghost is zero. */
    private final double[] line;
    /** What is added to half of a fine row. */
    private final double[] increments;
    /** The coarse row at the fine row: {@link #line}, or one of corrections; begins with the ghost before the first point inside. */
    private double[] atRow;

    private int begin;
    /** The coarse rows beside a fine row that have a weight, by array index. */
    private final int[] coarseRows = new int[4];

    private final double[] weights = new double[4];

    Interpolation(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        line = new double[coarse.inside.extent(2) + 3 + RowKernel.SLACK];
        increments = fine.newRow();
        atRow = line;
    }

    /** {@code fine.u += P coarse.c} everywhere, without regard to an obstacle. */
    void add() {
        for (int z = fine.withGhosts.lo(0); z <= fine.withGhosts.hi(0); z++) {
            for (int y = fine.withGhosts.lo(1); y <= fine.withGhosts.hi(1); y++) {
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
            if (fine.isConstrained()) {
                addRowAbove(z, y);
            } else {
                addRow(z, y);
            }
        }
    }

    private void addRow(int z, int y) {
        interpolateLine(z, y);
        int first = fine.withGhosts.lo(2);
        int even = first + (first & 1);
        int odd = first + 1 - (first & 1);
        int last = lastRegular();
        RowKernel kernel = fine.kernel;
        kernel.add(1, atRow, rowIndex(even), fine.u, fine.index(z, y, even), GridLevel.countHalf(even, last));
        kernel.addMeans(atRow, rowIndex(odd), fine.u, fine.index(z, y, odd), GridLevel.countHalf(odd, last));
        for (int x = Math.max(first, last + 1); x <= fine.withGhosts.hi(2); x++) {
            fine.u[fine.index(z, y, x)] += interpolated(x);
        }
    }

    private void addRowAbove(int z, int y) {
        interpolateLine(z, y);
        int first = fine.withGhosts.lo(2);
        int even = first + (first & 1);
        int odd = first + 1 - (first & 1);
        int last = lastRegular();
        addAbove(atRow, rowIndex(even), z, y, even, last);
        fine.kernel.means(atRow, rowIndex(odd), increments, 0, GridLevel.countHalf(odd, last));
        addAbove(increments, 0, z, y, odd, last);
        for (int x = Math.max(first, last + 1); x <= fine.withGhosts.hi(2); x++) {
            increments[0] = interpolated(x);
            addAbove(increments, 0, z, y, x, x);
        }
    }

    private void addAbove(double[] from, int at, int z, int y, int first, int last) {
        int count = GridLevel.countHalf(first, last);
        int to = fine.index(z, y, first);
        fine.kernel.addAbove(from, at, fine.u, fine.lower, fine.fixed, to, fine.obstacleShift(z, y, first), count);
    }

    /** Points beyond twice the number of coarse points lie in the last coarse cell, which may have another length. */
    private int lastRegular() {
        return Math.min(fine.withGhosts.hi(2), 2 * coarse.columns.n);
    }

    /** Where the coarse row has the point at or below a fine one. */
    private int rowIndex(int x) {
        return begin + (x >> 1) - coarse.inside.lo(2) + 1;
    }

    private double interpolated(int x) {
        int below = begin + fine.columns.below[x] - coarse.inside.lo(2) + 1;
        return fine.columns.fromBelow[x] * atRow[below] + fine.columns.fromAbove[x] * atRow[below + 1];
    }

    /** Interpolates coarse rows at a fine plane and row. Half of them lie on a coarse plane, and half of these on a coarse row. */
    private void interpolateLine(int z, int y) {
        AxisLevel planes = fine.planes;
        AxisLevel rows = fine.rows;
        int count = 0;
        for (int dz = 0; dz <= 1; dz++) {
            double weight = dz == 0 ? planes.fromBelow[z] : planes.fromAbove[z];
            for (int dy = 0; dy <= 1; dy++) {
                weights[count] = weight * (dy == 0 ? rows.fromBelow[y] : rows.fromAbove[y]);
                if (weights[count] != 0) {
                    coarseRows[count] =
                            coarse.correctionIndex(planes.below[z] + dz, rows.below[y] + dy, coarse.inside.lo(2) - 1);
                    count++;
                }
            }
        }
        if (count == 1 && weights[0] == 1) {
            atRow = coarse.c;
            begin = coarseRows[0];
            return;
        }
        atRow = line;
        begin = 0;
        int length = coarse.inside.extent(2) + 2;
        if (count <= 2) {
            double second = count == 2 ? weights[1] : 0;
            int secondRow = coarseRows[count - 1];
            fine.kernel.combine(weights[0], second, coarse.c, coarseRows[0], secondRow, line, length);
        } else {
            fine.kernel.combine(weights, coarse.c, coarseRows, line, length);
        }
    }
}
