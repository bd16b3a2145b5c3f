// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Computes the right-hand side of the full approximation scheme, {@code coarse.f = R(fine.f − A fine.u) + A coarse.u}, plane by plane, and
 * the coarse points that an obstacle fixes. The residual counts as zero at points in contact with an obstacle.
 */
final class Restriction {
    private final GridLevel fine;
    private final GridLevel coarse;
    private final LevelBox measuredBox;
    private final double[] residual;
    /** Residuals of one fine row at the coarse points. */
    private final double[] line;
    /** One coarse plane of restricted residuals, without ghosts. */
    private final double[] plane;

    private final ContactWeights contact;
    private double max;

    Restriction(GridLevel fine, GridLevel coarse, LevelBox measured) {
        this.fine = fine;
        this.coarse = coarse;
        measuredBox = measured;
        residual = new double[fine.inside.extent(2)];
        line = new double[coarse.inside.extent(2)];
        plane = new double[coarse.inside.extent(1) * coarse.inside.extent(2)];
        contact = new ContactWeights(fine, coarse);
    }

    /**
     * The maximum norm of the fine residual in the measured box since {@link #begin}; with an obstacle φ that of the natural residual
     * {@code min(Au − f, diagonal · (u − φ))}.
     */
    double measured() {
        return max;
    }

    /** Must precede {@link #restrictPlane}. */
    void begin() {
        max = 0;
        LevelBox box = coarse.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int begin = coarse.index(z, y, box.lo(2));
                Arrays.fill(coarse.f, begin, begin + box.extent(2), 0);
            }
        }
        contact.clear();
    }

    /** Adds what a fine plane contributes to the coarse right-hand side; planes come in ascending order. */
    void restrictPlane(int z) {
        Arrays.fill(plane, 0);
        boolean measures = z >= measuredBox.lo(0) && z <= measuredBox.hi(0);
        for (int y = fine.inside.lo(1); y <= fine.inside.hi(1); y++) {
            fine.residualRow(z, y, residual);
            if (measures && y >= measuredBox.lo(1) && y <= measuredBox.hi(1)) {
                measureRow(z, y);
            }
            if (fine.isConstrained()) {
                contact.addRow(z, y, residual);
            }
            restrictRow();
            addToPlane(fine.rows.below[y], fine.rows.toBelow[y]);
            addToPlane(fine.rows.below[y] + 1, fine.rows.toAbove[y]);
        }
        addToSource(fine.planes.below[z], fine.planes.toBelow[z]);
        addToSource(fine.planes.below[z] + 1, fine.planes.toAbove[z]);
    }

    /** Must follow the last plane; fixes coarse points. */
    void finish() {
        contact.fix();
    }

    /** Adds {@code A coarse.u} once the coarse values are there. */
    void addOperator() {
        coarse.addOperator(line);
    }

    private void measureRow(int z, int y) {
        int first = measuredBox.lo(2) - fine.inside.lo(2);
        int last = measuredBox.hi(2) - fine.inside.lo(2);
        if (!fine.isConstrained()) {
            max = fine.kernel.largest(residual, first, last, max);
            return;
        }
        int begin = fine.index(z, y, fine.inside.lo(2));
        int bound = fine.obstacleShift(z, y);
        int regular = Math.min(last, fine.columns.uniform - fine.inside.lo(2));
        max = largestNatural(begin, bound, first, regular, fine.diagonal(z, y, 1));
        max = largestNatural(begin, bound, Math.max(first, regular + 1), last, fine.diagonal(z, y, fine.columns.n));
    }

    private double largestNatural(int begin, int bound, int first, int last, double diagonal) {
        return fine.kernel.largestNatural(residual, diagonal, fine.u, fine.lower, begin, bound, first, last, max);
    }

    /** Restricts the residuals of a row along it, into the line. */
    private void restrictRow() {
        int first = coarse.inside.lo(2);
        int last = coarse.inside.hi(2);
        int regular = Math.min(last, coarse.columns.n - 1);
        int at = 2 * first - fine.inside.lo(2);
        double[] from = residual;
        double[] to = line;
        RowLoops.restrict(from, at, to, regular - first + 1);
        if (last > regular && last >= first) {
            AxisLevel columns = fine.columns;
            double sum = columns.toAbove[2 * last - 1] * from[2 * last - 1 - fine.inside.lo(2)];
            for (int x = 2 * last; x <= columns.n; x++) {
                sum += columns.toBelow[x] * from[x - fine.inside.lo(2)];
            }
            to[last - first] = sum;
        }
    }

    private void addToPlane(int row, double weight) {
        if (weight == 0 || row < coarse.inside.lo(1) || row > coarse.inside.hi(1)) {
            return;
        }
        int length = line.length;
        fine.kernel.add(weight, line, 0, plane, (row - coarse.inside.lo(1)) * length, length);
    }

    private void addToSource(int z, double weight) {
        if (weight == 0 || z < coarse.inside.lo(0) || z > coarse.inside.hi(0)) {
            return;
        }
        int length = line.length;
        for (int y = coarse.inside.lo(1); y <= coarse.inside.hi(1); y++) {
            int from = (y - coarse.inside.lo(1)) * length;
            fine.kernel.add(weight, plane, from, coarse.f, coarse.index(z, y, coarse.inside.lo(2)), length);
        }
    }
}
