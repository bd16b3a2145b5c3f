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
    /** Residuals of one fine row, see {@link GridLevel#slot}. */
    private final double[] residual;
    /** Residuals of one fine row at the coarse points. */
    private final double[] line;
    /** A coarse row, see {@link GridLevel#slot}. */
    private final double[] scratch;
    /** One coarse plane of restricted residuals, without ghosts. */
    private final double[] plane;

    private final ContactWeights contact;
    private double max;
    /** The next coarse plane whose right-hand side is to be cleared, to be injected, to be completed. */
    private int nextToClear;

    private int nextToInject;
    private int nextToComplete;

    Restriction(GridLevel fine, GridLevel coarse, LevelBox measured) {
        this.fine = fine;
        this.coarse = coarse;
        measuredBox = measured;
        residual = fine.newRow();
        scratch = coarse.newRow();
        line = new double[coarse.inside.extent(2) + RowKernel.SLACK];
        plane = new double[coarse.inside.extent(1) * coarse.inside.extent(2) + RowKernel.SLACK];
        contact = new ContactWeights(fine, coarse);
    }

    /**
     * The maximum norm of the fine residual in the measured box since {@link #begin}; with an obstacle φ that of the natural residual
     * {@code min(Au − f, diagonal · (u − φ))}.
     */
    double measured() {
        return max;
    }

    /** The boundary of the contact with an obstacle, as the fine level was restricted last. */
    FreeBoundary boundary() {
        return contact.boundary();
    }

    /** Must precede {@link #restrictPlane}. */
    void begin() {
        max = 0;
        contact.begin();
        nextToClear = coarse.inside.lo(0);
        nextToInject = coarse.withGhosts.lo(0);
        nextToComplete = coarse.inside.lo(0);
    }

    /**
     * Adds what a fine plane contributes to the coarse right-hand side; planes come in ascending order. Coarse planes are completed as
     * soon as nothing is missing, while their values are in the cache.
     */
    void restrictPlane(int z) {
        clearTo(fine.planes.below[z] + 1);
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
        if (fine.isConstrained()) {
            contact.endPlane(z);
        }
        addToSource(fine.planes.below[z], fine.planes.toBelow[z]);
        addToSource(fine.planes.below[z] + 1, fine.planes.toAbove[z]);
        if (fine.isSolid()) {
            injectTo(z >> 1);
            while (nextToComplete < nextToInject - 1) {
                coarse.addOperator(nextToComplete++, scratch);
            }
        }
    }

    /** Must follow the last plane; completes the coarse level and fixes coarse points. */
    void finish() {
        contact.finish();
        clearTo(coarse.inside.hi(0));
        injectTo(coarse.withGhosts.hi(0));
        while (nextToComplete <= coarse.inside.hi(0)) {
            coarse.addOperator(nextToComplete++, scratch);
        }
    }

    private void clearTo(int plane) {
        while (nextToClear <= Math.min(plane, coarse.inside.hi(0))) {
            coarse.clearSource(nextToClear++);
        }
    }

    /** {@code coarse.u = I fine.u} on the coarse planes up to this one, ghosts included. */
    private void injectTo(int plane) {
        LevelBox box = coarse.withGhosts;
        for (; nextToInject <= Math.min(plane, box.hi(0)); nextToInject++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                coarse.injectRow(fine, box, nextToInject, y);
            }
        }
    }

    private void measureRow(int z, int y) {
        int last = measuredBox.hi(2);
        int regular = Math.min(last, fine.columns.uniform);
        for (int first = measuredBox.lo(2); first < measuredBox.lo(2) + 2; first++) {
            if (fine.isConstrained()) {
                measureNatural(z, y, first, regular, 1);
            } else {
                int at = fine.slot(first);
                max = fine.kernel.largest(residual, at, at + GridLevel.countHalf(first, last) - 1, max);
            }
        }
        if (fine.isConstrained() && last > regular && last >= measuredBox.lo(2)) {
            measureNatural(z, y, last, last, last);
        }
    }

    /** Measures every other point from {@code first} to {@code last}, with the coefficients of point {@code like}. */
    private void measureNatural(int z, int y, int first, int last, int like) {
        int at = fine.slot(first);
        max = fine.kernel.largestNatural(
                residual,
                fine.diagonal(z, y, like),
                fine.u,
                fine.lower,
                fine.index(z, y, first) - at,
                fine.obstacleShift(z, y, first),
                at,
                at + GridLevel.countHalf(first, last) - 1,
                max);
    }

    /** Restricts the residuals of a row along it, into the line. */
    private void restrictRow() {
        int first = coarse.inside.lo(2);
        int last = coarse.inside.hi(2);
        int regular = Math.min(last, coarse.columns.n - 1);
        int count = Math.max(0, regular - first + 1);
        fine.kernel.restrict(residual, fine.slot(2 * first - 1), fine.slot(2 * first), line, count);
        if (last > regular && last >= first) {
            AxisLevel columns = fine.columns;
            double sum = columns.toAbove[2 * last - 1] * residual[fine.slot(2 * last - 1)];
            for (int x = 2 * last; x <= columns.n; x++) {
                sum += columns.toBelow[x] * residual[fine.slot(x)];
            }
            line[last - first] = sum;
        }
    }

    private void addToPlane(int row, double weight) {
        if (weight == 0 || row < coarse.inside.lo(1) || row > coarse.inside.hi(1)) {
            return;
        }
        int length = coarse.inside.extent(2);
        fine.kernel.add(weight, line, 0, plane, (row - coarse.inside.lo(1)) * length, length);
    }

    private void addToSource(int z, double weight) {
        if (weight == 0 || z < coarse.inside.lo(0) || z > coarse.inside.hi(0)) {
            return;
        }
        int length = coarse.inside.extent(2);
        for (int y = coarse.inside.lo(1); y <= coarse.inside.hi(1); y++) {
            int from = (y - coarse.inside.lo(1)) * length;
            int first = coarse.index(z, y, coarse.inside.lo(2));
            int second = coarse.index(z, y, coarse.inside.lo(2) + 1);
            RowLoops.addSplit(weight, plane, from, coarse.f, first, second, length);
        }
    }
}
