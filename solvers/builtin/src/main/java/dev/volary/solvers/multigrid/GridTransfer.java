// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Moves values between two neighboring levels: interpolation P (linear along each axis, zero on the boundary of the domain),
 * full weighting R = V⁻¹ Pᵀ V, injection I. Allocates nothing after its construction.
 */
final class GridTransfer {
    private final GridLevel fine;
    private final GridLevel coarse;
    private final double[] residual;
    /** One coarse row; element 0 belongs to the ghost before the first point inside. */
    private final double[] line;
    /** One coarse plane of restricted residuals, without ghosts. */
    private final double[] plane;

    GridTransfer(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        residual = new double[fine.inside.extent(2)];
        line = new double[coarse.inside.extent(2) + 2];
        plane = new double[coarse.inside.extent(1) * coarse.inside.extent(2)];
    }

    /** {@code coarse.u = I fine.u}. */
    void inject() {
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                int from = fineIndex(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.u[to + x] = fine.u[from + 2 * x];
                }
            }
        }
    }

    /** {@code coarse.u = I fine.u + coarse.c}. */
    void injectCorrected() {
        inject();
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.u[to + x] += coarse.c[to + x];
                }
            }
        }
    }

    /** {@code coarse.c = values − I fine.u}, for values laid out as those of the coarse level. */
    void takeCorrection(double[] values) {
        LevelBox box = coarse.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int to = coarse.index(z, y, box.lo(2));
                int from = fineIndex(z, y, box.lo(2));
                for (int x = 0; x < box.extent(2); x++) {
                    coarse.c[to + x] = values[to + x] - fine.u[from + 2 * x];
                }
            }
        }
    }

    /** The array index of a coarse point on the fine level. */
    private int fineIndex(int z, int y, int x) {
        return fine.index(fine.isSolid() ? 2 * z : z, 2 * y, 2 * x);
    }

    /** {@code fine.u += P correction}, ghosts included, for corrections laid out as the values of the coarse level. */
    void prolong(double[] correction) {
        LevelBox box = fine.withGhosts;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                interpolateLine(correction, z, y);
                addLine(z, y, box.lo(2), box.hi(2));
            }
        }
    }

    /** Interpolates a coarse row at a fine plane and row. */
    private void interpolateLine(double[] correction, int z, int y) {
        Arrays.fill(line, 0);
        addRows(correction, fine.planes.below[z], fine.planes.fromBelow[z], y);
        if (fine.planes.fromAbove[z] != 0) {
            addRows(correction, fine.planes.below[z] + 1, fine.planes.fromAbove[z], y);
        }
    }

    private void addRows(double[] correction, int coarsePlane, double weight, int y) {
        int below = fine.rows.below[y];
        addRow(correction, coarse.index(coarsePlane, below, coarse.inside.lo(2) - 1), weight * fine.rows.fromBelow[y]);
        if (fine.rows.fromAbove[y] != 0) {
            addRow(
                    correction,
                    coarse.index(coarsePlane, below + 1, coarse.inside.lo(2) - 1),
                    weight * fine.rows.fromAbove[y]);
        }
    }

    private void addRow(double[] correction, int from, double weight) {
        double[] target = line;
        for (int x = 0; x < target.length; x++) {
            target[x] += weight * correction[from + x];
        }
    }

    private void addLine(int z, int y, int first, int last) {
        int base = coarse.inside.lo(2) - 1;
        // Points beyond twice the number of coarse points lie in the last coarse cell, which may have another length.
        int regular = Math.min(last, 2 * coarse.columns.n);
        int x = first;
        if ((x & 1) == 1 && x <= regular) {
            fine.u[fine.index(z, y, x)] += 0.5 * (line[x / 2 - base] + line[x / 2 + 1 - base]);
            x++;
        }
        int pairs = Math.max(0, (regular - x + 1) / 2);
        addPairs(fine.u, fine.index(z, y, x), line, x / 2 - base, pairs);
        for (x += 2 * pairs; x <= last; x++) {
            int below = fine.columns.below[x] - base;
            double value = fine.columns.fromBelow[x] * line[below];
            if (fine.columns.fromAbove[x] != 0) {
                value += fine.columns.fromAbove[x] * line[below + 1];
            }
            fine.u[fine.index(z, y, x)] += value;
        }
    }

    private static void addPairs(double[] u, int begin, double[] line, int at, int pairs) {
        for (int k = 0; k < pairs; k++) {
            double here = line[at + k];
            u[begin + 2 * k] += here;
            u[begin + 2 * k + 1] += 0.5 * (here + line[at + k + 1]);
        }
    }

    /** {@code coarse.f = R(fine.f − A fine.u)}. */
    void restrictResidual() {
        restrictResidual(0, -1, 0, -1, 0, -1);
    }

    /**
     * As {@link #restrictResidual()}.
     *
     * @return the maximum norm of the fine residual within {@code measured}
     */
    double restrictResidual(LevelBox measured) {
        return restrictResidual(
                measured.lo(0), measured.hi(0), measured.lo(1), measured.hi(1), measured.lo(2), measured.hi(2));
    }

    private double restrictResidual(int planeLo, int planeHi, int rowLo, int rowHi, int columnLo, int columnHi) {
        double max = 0;
        clearSource();
        for (int z = fine.inside.lo(0); z <= fine.inside.hi(0); z++) {
            Arrays.fill(plane, 0);
            for (int y = fine.inside.lo(1); y <= fine.inside.hi(1); y++) {
                fine.residualRow(z, y, residual);
                if (z >= planeLo && z <= planeHi && y >= rowLo && y <= rowHi) {
                    max = largest(columnLo - fine.inside.lo(2), columnHi - fine.inside.lo(2), max);
                }
                restrictRow();
                addToPlane(fine.rows.below[y], fine.rows.toBelow[y]);
                addToPlane(fine.rows.below[y] + 1, fine.rows.toAbove[y]);
            }
            addToSource(fine.planes.below[z], fine.planes.toBelow[z]);
            addToSource(fine.planes.below[z] + 1, fine.planes.toAbove[z]);
        }
        return max;
    }

    private double largest(int first, int last, double before) {
        double max = before;
        for (int x = first; x <= last; x++) {
            max = Math.max(max, Math.abs(residual[x]));
        }
        return max;
    }

    private void clearSource() {
        LevelBox box = coarse.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int begin = coarse.index(z, y, box.lo(2));
                Arrays.fill(coarse.f, begin, begin + box.extent(2), 0);
            }
        }
    }

    /** Restricts the residuals of a row along it, into the line. */
    private void restrictRow() {
        int first = coarse.inside.lo(2);
        int last = coarse.inside.hi(2);
        int regular = Math.min(last, coarse.columns.n - 1);
        int at = 2 * first - fine.inside.lo(2);
        double[] from = residual;
        double[] to = line;
        for (int k = 0; k <= regular - first; k++) {
            int x = at + 2 * k;
            to[k + 1] = 0.25 * (from[x - 1] + from[x + 1]) + 0.5 * from[x];
        }
        if (last > regular && last >= first) {
            AxisLevel columns = fine.columns;
            double sum = columns.toAbove[2 * last - 1] * from[2 * last - 1 - fine.inside.lo(2)];
            for (int x = 2 * last; x <= columns.n; x++) {
                sum += columns.toBelow[x] * from[x - fine.inside.lo(2)];
            }
            to[last - first + 1] = sum;
        }
    }

    private void addToPlane(int row, double weight) {
        if (weight == 0 || row < coarse.inside.lo(1) || row > coarse.inside.hi(1)) {
            return;
        }
        int length = coarse.inside.extent(2);
        int begin = (row - coarse.inside.lo(1)) * length;
        double[] to = plane;
        double[] from = line;
        for (int x = 0; x < length; x++) {
            to[begin + x] += weight * from[x + 1];
        }
    }

    private void addToSource(int z, double weight) {
        if (weight == 0 || z < coarse.inside.lo(0) || z > coarse.inside.hi(0)) {
            return;
        }
        int length = coarse.inside.extent(2);
        double[] to = coarse.f;
        double[] from = plane;
        for (int y = coarse.inside.lo(1); y <= coarse.inside.hi(1); y++) {
            int begin = coarse.index(z, y, coarse.inside.lo(2));
            int row = (y - coarse.inside.lo(1)) * length;
            for (int x = 0; x < length; x++) {
                to[begin + x] += weight * from[row + x];
            }
        }
    }

    /** {@code coarse.f += A coarse.u}. */
    void addOperator() {
        coarse.addOperator(line);
    }
}
