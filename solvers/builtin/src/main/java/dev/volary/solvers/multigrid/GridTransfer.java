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
    private final Interpolation interpolation;
    private final Restriction restriction;

    /**
     * @param measured where {@link #restrict} measures the fine residual, or {@link LevelBox#NONE}
     */
    GridTransfer(GridLevel fine, GridLevel coarse, LevelBox measured) {
        this.fine = fine;
        this.coarse = coarse;
        interpolation = new Interpolation(fine, coarse);
        restriction = new Restriction(fine, coarse, measured);
    }

    /** {@code coarse.u = I fine.u + coarse.c} in a box. */
    void injectCorrected(LevelBox box) {
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int first = coarse.index(z, y, box.lo(2));
                int second = coarse.index(z, y, box.lo(2) + 1);
                int from = coarse.correctionIndex(z, y, box.lo(2));
                coarse.injectRow(fine, box, z, y);
                RowLoops.addSplit(1, coarse.c, from, coarse.u, first, second, box.extent(2));
            }
        }
    }

    /** {@code coarse.c = values − I fine.u}, for values laid out as those of the coarse level. */
    void takeCorrection(double[] values) {
        takeCorrection(values, coarse.withGhosts);
    }

    /** The same in a box. */
    void takeCorrection(double[] values, LevelBox box) {
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                RowLoops.takeCorrection(
                        values,
                        coarse.index(z, y, box.lo(2)),
                        coarse.index(z, y, box.lo(2) + 1),
                        fine.u,
                        fine.indexBelow(z, y, box.lo(2)),
                        coarse.c,
                        coarse.correctionIndex(z, y, box.lo(2)),
                        box.extent(2));
            }
        }
    }

    /**
     * {@code fine.u += P values}, ghosts included and without regard to an obstacle, for values laid out as the coarse ones. Leaves
     * corrections of zero.
     */
    void prolong(double[] values) {
        coarse.copyOut(values, coarse.all, coarse.c, 0);
        interpolation.add();
        Arrays.fill(coarse.c, 0);
    }

    /**
     * The start of the coarse problem of the full approximation scheme, {@code coarse.u = I fine.u} and
     * {@code coarse.f = R(fine.f − A fine.u) + A coarse.u}, with the coarse points that an obstacle fixes.
     *
     * @return the norm of the fine residual, see {@link Restriction#measured}
     */
    double restrict() {
        return relaxAndRestrict(0, 1, 0);
    }

    /** {@code fine.u += P coarse.c}, then sweeps, then those {@code near} the boundary of contact. */
    void correctAndRelax(int sweeps, double omega, int near) {
        pass(true, sweeps, omega, near, false);
    }

    /** Sweeps as in {@link #correctAndRelax}, then {@link #restrict}. */
    double relaxAndRestrict(int sweeps, double omega, int near) {
        pass(false, sweeps, omega, near, true);
        return restriction.measured();
    }

    /** {@link #correctAndRelax}, then {@link #restrict}. */
    double correctRelaxAndRestrict(int sweeps, double omega, int near) {
        pass(true, sweeps, omega, near, true);
        return restriction.measured();
    }

    /**
     * Makes one pass over memory of what would be up to 2 + 2 · (sweeps + near): each stage follows the one before at a distance of
     * one plane, which is all that it needs of it, so the planes in between stay in the cache. Every point sees the same values as
     * if the stages came one after the other, and ends with the same bits.
     *
     * @param near further sweeps over the {@link FreeBoundary}; none without an obstacle
     */
    private void pass(boolean corrects, int sweeps, double omega, int near, boolean restricts) {
        if (restricts) {
            restriction.begin();
        }
        int everywhere = 2 * sweeps;
        int halfSweeps = everywhere + (fine.isConstrained() ? 2 * near : 0);
        FreeBoundary boundary = restriction.boundary();
        int first = fine.inside.lo(0);
        int last = fine.inside.hi(0);
        for (int front = first - 1; front <= last + halfSweeps + 1; front++) {
            if (corrects && front >= fine.withGhosts.lo(0) && front <= fine.withGhosts.hi(0)) {
                interpolation.correctPlane(front);
            }
            for (int k = 0; k < halfSweeps; k++) {
                int z = front - 1 - k;
                if (z < first || z > last) {
                    continue;
                }
                if (k >= everywhere) {
                    boundary.relaxNear(z, k & 1);
                } else if (fine.isConstrained()) {
                    boundary.relaxOpen(z, k & 1, omega);
                } else {
                    fine.relaxPlane(z, k & 1, omega);
                }
            }
            int z = front - 1 - halfSweeps;
            if (restricts && z >= first) {
                restriction.restrictPlane(z);
            }
        }
        if (restricts) {
            restriction.finish();
        }
    }
}
