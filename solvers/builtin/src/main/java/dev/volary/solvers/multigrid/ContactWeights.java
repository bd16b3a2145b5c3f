// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Fixes the coarse points of whose interpolation stencil fixed points and points in contact carry at least 9/64. So no correction is
 * computed where it could not be added (R. Kornhuber's truncation, Numerische Mathematik 69, 1994). Weights are added up row by row, and
 * a coarse plane is done with as soon as no fine one can add to it. Rows without contact cost next to nothing.
 */
final class ContactWeights {
    /**
     * Of 64, the sum of the weights of a stencil. Found by experiment: with 1 rounds take up to twice as long, without fixed points two
     * to six times.
     */
    private static final int FIXING_WEIGHT = 9;

    private static final int WHOLE_WEIGHT = 64;

    private final GridLevel fine;
    private final GridLevel coarse;
    /** 1 for each active point of a fine row, see {@link GridLevel#slot}; 0 for others and ghosts, and everywhere between two rows. */
    private final double[] active;
    /** Weights of one fine row at the coarse points of a row. */
    private final double[] line;
    /** The sums of the coarse planes that can still grow, of even and of odd ones, without ghosts. */
    private final double[][] sums = new double[2][];
    /** Their rows with sums. */
    private final boolean[][] touched = new boolean[2][];
    /** All rows of coarse planes with fixed points. */
    private final boolean[] hasFixed;

    private final FreeBoundary boundary;
    /** The next coarse plane whose sums are to be completed. */
    private int next;

    ContactWeights(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        boundary = new FreeBoundary(fine);
        boolean constrained = fine.isConstrained();
        LevelBox box = coarse.inside;
        active = constrained ? fine.newRow() : new double[0];
        line = new double[constrained ? box.extent(2) + RowKernel.SLACK : 0];
        for (int k = 0; k < 2; k++) {
            sums[k] = new double[constrained ? box.extent(1) * box.extent(2) + RowKernel.SLACK : 0];
            touched[k] = new boolean[box.extent(1)];
        }
        hasFixed = new boolean[box.extent(0) * box.extent(1)];
    }

    /** Must precede the first row. */
    void begin() {
        boundary.clear();
        next = coarse.inside.lo(0);
    }

    /** Adds the weights of a fine row, whose rows and planes come in order, and clears its residuals at active points. */
    void addRow(int z, int y, double[] residual) {
        int found = 0;
        for (int first = fine.inside.lo(2); first < fine.inside.lo(2) + 2; first++) {
            found |= fine.kernel.clearActive(
                    fine.u,
                    fine.lower,
                    fine.fixed,
                    fine.index(z, y, first),
                    fine.obstacleShift(z, y, first),
                    residual,
                    active,
                    fine.slot(first),
                    GridLevel.countHalf(first, fine.inside.hi(2)));
        }
        if (found != 0) {
            weighRow(z, y);
        }
        if ((found & RowKernel.SOME_PULLED) != 0) {
            boundary.keepOpen(z, y);
        }
    }

    private void weighRow(int z, int y) {
        int middle = 2 * coarse.inside.lo(2);
        RowLoops.weigh(active, fine.slot(middle - 1), fine.slot(middle), line, coarse.inside.extent(2));
        Arrays.fill(active, 0);
        if (!fine.isSolid()) {
            addToRows(z, y, 4);
        } else if ((z & 1) == 0) {
            addToRows(z >> 1, y, 2);
        } else {
            addToRows(z >> 1, y, 1);
            addToRows((z >> 1) + 1, y, 1);
        }
    }

    private void addToRows(int plane, int y, int weight) {
        if (plane < coarse.inside.lo(0) || plane > coarse.inside.hi(0)) {
            return;
        }
        if ((y & 1) == 0) {
            addToRow(plane, y >> 1, 2 * weight);
        } else {
            addToRow(plane, y >> 1, weight);
            addToRow(plane, (y >> 1) + 1, weight);
        }
    }

    private void addToRow(int plane, int row, int weight) {
        if (row >= coarse.inside.lo(1) && row <= coarse.inside.hi(1)) {
            int length = coarse.inside.extent(2);
            int r = row - coarse.inside.lo(1);
            fine.kernel.add(weight, line, 0, sums[plane & 1], r * length, length);
            touched[plane & 1][r] = true;
        }
    }

    /** Must follow the last row of a fine plane. */
    void endPlane(int z) {
        if (fine.isSolid()) {
            fixTo((z - 1) >> 1);
        }
    }

    /** Must follow the last plane: fixes or frees the coarse points that are left, and finds the boundary of the contact. */
    void finish() {
        if (fine.isConstrained()) {
            fixTo(coarse.inside.hi(0));
            boundary.close();
        }
    }

    private void fixTo(int plane) {
        for (; next <= Math.min(plane, coarse.inside.hi(0)); next++) {
            for (int row = coarse.inside.lo(1); row <= coarse.inside.hi(1); row++) {
                fixRow(next, row);
            }
        }
    }

    private void fixRow(int plane, int row) {
        LevelBox box = coarse.inside;
        int r = row - box.lo(1);
        int numbered = (plane - box.lo(0)) * box.extent(1) + r;
        boolean isTouched = touched[plane & 1][r];
        if (!isTouched && !hasFixed[numbered]) {
            return;
        }
        double[] weights = sums[plane & 1];
        int begin = r * box.extent(2);
        for (int first = box.lo(2); first < box.lo(2) + 2; first++) {
            int from = begin + first - box.lo(2);
            int count = GridLevel.countHalf(first, box.hi(2));
            RowLoops.compare(weights, from, FIXING_WEIGHT, coarse.fixed, coarse.index(plane, row, first), count);
        }
        if (isTouched) {
            boundary.add(plane, row, box.lo(2), weights, begin, box.extent(2), WHOLE_WEIGHT);
            Arrays.fill(weights, begin, begin + box.extent(2), 0);
        }
        hasFixed[numbered] = isTouched;
        touched[plane & 1][r] = false;
    }

    /** Of the fine level, as it was restricted last. */
    FreeBoundary boundary() {
        return boundary;
    }
}
