// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Fixes the coarse points of whose interpolation stencil fixed points and points in contact carry at least 9/64. So no correction is
 * computed where it could not be added (R. Kornhuber's truncation, Numerische Mathematik 69, 1994). Weights are added up along
 * rows, then planes, then across planes.
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
    /** 1 for each active point of a fine row, see {@link GridLevel#slot}; 0 for ghosts. */
    private final double[] active;
    /** Weights of one fine row at the coarse points of a row. */
    private final double[] line;
    /** Weights of one fine plane at the coarse points of a plane, without ghosts. */
    private final double[] plane;
    /** The sums, laid out as the coarse values. */
    private final double[] weights;

    private final FreeBoundary boundary;

    ContactWeights(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        boundary = new FreeBoundary(fine);
        boolean constrained = fine.isConstrained();
        LevelBox box = coarse.inside;
        active = constrained ? fine.newRow() : new double[0];
        line = new double[constrained ? box.extent(2) + RowKernel.SLACK : 0];
        plane = new double[constrained ? box.extent(1) * box.extent(2) + RowKernel.SLACK : 0];
        weights = new double[coarse.lower.length];
    }

    /** Forgets all weights. */
    void clear() {
        Arrays.fill(weights, 0);
    }

    /** Adds the weights of a fine row, whose rows and planes come in order, and clears its residuals at active points. */
    void addRow(int z, int y, double[] residual) {
        for (int first = fine.inside.lo(2); first < fine.inside.lo(2) + 2; first++) {
            fine.kernel.clearActive(
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
        int middle = 2 * coarse.inside.lo(2);
        RowLoops.weigh(active, fine.slot(middle - 1), fine.slot(middle), line, coarse.inside.extent(2));
        addToPlane(y >> 1, (y & 1) == 0 ? 2 : 1);
        if ((y & 1) == 1) {
            addToPlane((y >> 1) + 1, 1);
        }
        if (y == fine.inside.hi(1)) {
            endPlane(z);
        }
    }

    private void addToPlane(int row, int weight) {
        if (row >= coarse.inside.lo(1) && row <= coarse.inside.hi(1)) {
            int length = coarse.inside.extent(2);
            fine.kernel.add(weight, line, 0, plane, (row - coarse.inside.lo(1)) * length, length);
        }
    }

    private void endPlane(int z) {
        if (!fine.isSolid()) {
            addToSums(z, 4);
        } else if ((z & 1) == 0) {
            addToSums(z >> 1, 2);
        } else {
            addToSums(z >> 1, 1);
            addToSums((z >> 1) + 1, 1);
        }
        Arrays.fill(plane, 0);
    }

    private void addToSums(int z, int weight) {
        LevelBox box = coarse.inside;
        if (z >= box.lo(0) && z <= box.hi(0)) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int from = (y - box.lo(1)) * box.extent(2);
                int first = coarse.index(z, y, box.lo(2));
                int second = coarse.index(z, y, box.lo(2) + 1);
                RowLoops.addSplit(weight, plane, from, weights, first, second, box.extent(2));
            }
        }
    }

    /** Fixes or frees all coarse points, and finds the boundary of the contact. */
    void fix() {
        if (!fine.isConstrained()) {
            return;
        }
        RowLoops.compare(weights, FIXING_WEIGHT, coarse.fixed);
        boundary.clear();
        LevelBox box = coarse.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int first = box.lo(2); first < box.lo(2) + 2; first++) {
                    int begin = coarse.index(z, y, first);
                    int count = GridLevel.countHalf(first, box.hi(2));
                    boundary.add(z, y, first, weights, begin, count, WHOLE_WEIGHT);
                }
            }
        }
        boundary.close();
    }

    /** Of the fine level, as it was restricted last. */
    FreeBoundary boundary() {
        return boundary;
    }
}
