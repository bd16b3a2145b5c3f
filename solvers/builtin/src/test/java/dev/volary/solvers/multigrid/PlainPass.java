// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * Correction, sweeps and restriction of a level, stage after stage and point by point: what {@link GridTransfer} computes in one
 * pass. Sums have the same order, so results must have the same bits.
 */
final class PlainPass {
    private final GridLevel fine;
    private final GridLevel coarse;
    /** Near the boundary of contact, as the level was restricted last; indices as of the values. */
    private final boolean[] near;

    PlainPass(GridLevel fine, GridLevel coarse) {
        this.fine = fine;
        this.coarse = coarse;
        near = new boolean[fine.u.length];
    }

    /** What to do at a point. */
    @FunctionalInterface
    private interface PointAction {
        void at(int z, int y, int x);
    }

    private static void forEach(LevelBox box, PointAction action) {
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    action.at(z, y, x);
                }
            }
        }
    }

    /** {@code fine.u += P coarse.c}, but not at points in contact, and not below the obstacle. */
    void correct() {
        forEach(fine.withGhosts, (z, y, x) -> {
            int i = fine.index(z, y, x);
            if (!isActive(z, y, x)) {
                fine.u[i] = Math.max(lower(z, y, x), fine.u[i] + interpolated(z, y, x));
            }
        });
    }

    private double interpolated(int z, int y, int x) {
        AxisLevel columns = fine.columns;
        int below = columns.below[x];
        double above = columns.fromAbove[x] == 0 ? 0 : columns.fromAbove[x] * between(z, y, below + 1);
        return columns.fromBelow[x] * between(z, y, below) + above;
    }

    /** At a coarse column, but a fine plane and row. */
    private double between(int z, int y, int column) {
        double sum = 0;
        for (int dz = 0; dz <= 1; dz++) {
            double weightZ = dz == 0 ? fine.planes.fromBelow[z] : fine.planes.fromAbove[z];
            for (int dy = 0; dy <= 1; dy++) {
                double weightY = dy == 0 ? fine.rows.fromBelow[y] : fine.rows.fromAbove[y];
                if (weightZ * weightY != 0) {
                    int i = coarse.correctionIndex(fine.planes.below[z] + dz, fine.rows.below[y] + dy, column);
                    sum += weightZ * weightY * coarse.c[i];
                }
            }
        }
        return sum;
    }

    private boolean isFixed(int z, int y, int x) {
        return fine.isConstrained() && fine.fixed[fine.index(z, y, x) + fine.obstacleShift(z, y, x)];
    }

    /** The obstacle; nothing is below it if there is none. */
    private double lower(int z, int y, int x) {
        return fine.isConstrained()
                ? fine.lower[fine.index(z, y, x) + fine.obstacleShift(z, y, x)]
                : Double.NEGATIVE_INFINITY;
    }

    private boolean isActive(int z, int y, int x) {
        return isFixed(z, y, x) || fine.u[fine.index(z, y, x)] <= lower(z, y, x);
    }

    /** Sweeps, then those near the boundary of contact. */
    void relax(int sweeps, double omega, int sweepsNear) {
        for (int half = 0; half < 2 * sweeps; half++) {
            relaxHalf(half & 1, omega, false);
        }
        for (int half = 0; half < 2 * sweepsNear; half++) {
            relaxHalf(half & 1, FreeBoundary.OMEGA, true);
        }
    }

    private void relaxHalf(int color, double omega, boolean isNear) {
        forEach(fine.inside, (z, y, x) -> {
            int i = fine.index(z, y, x);
            if (((x + y + z + color) & 1) == 0 && !isFixed(z, y, x) && (near[i] || !isNear)) {
                double step = omega / fine.diagonal(z, y, x) * (neighbors(fine, z, y, x) + source(z, y, x));
                fine.u[i] = Math.max(lower(z, y, x), (1 - omega) * fine.u[i] + step);
            }
        });
    }

    private double source(int z, int y, int x) {
        return fine.f.length == fine.u.length ? fine.f[fine.index(z, y, x)] : fine.f[0];
    }

    private static double neighbors(GridLevel level, int z, int y, int x) {
        double before = level.u[level.index(z - 1, y, x)];
        double after = level.u[level.index(z + 1, y, x)];
        double above = level.u[level.index(z, y - 1, x)];
        double below = level.u[level.index(z, y + 1, x)];
        double previous = level.u[level.index(z, y, x - 1)];
        double next = level.u[level.index(z, y, x + 1)];
        double front = level.planes.left[z];
        double back = level.planes.right[z];
        double up = level.rows.left[y];
        double down = level.rows.right[y];
        double left = level.columns.left[x];
        double right = level.columns.right[x];
        if (front == back && up == down && left == right && front == up && up == left) {
            return left * (before + above + previous + next + below + after);
        }
        return front * before + up * above + left * previous + right * next + down * below + back * after;
    }

    /** Returns the norm of the residual, in a box. */
    double restrict(LevelBox measured) {
        double[] residual = new double[fine.u.length];
        forEach(fine.inside, (z, y, x) -> {
            int i = fine.index(z, y, x);
            residual[i] = source(z, y, x) + (neighbors(fine, z, y, x) - fine.diagonal(z, y, x) * fine.u[i]);
        });
        double[] norm = new double[1];
        forEach(measured, (z, y, x) -> {
            int i = fine.index(z, y, x);
            double contact = fine.isConstrained()
                    ? fine.diagonal(z, y, x) * (fine.u[i] - lower(z, y, x))
                    : Double.POSITIVE_INFINITY;
            norm[0] = Math.max(norm[0], Math.abs(Math.min(-residual[i], contact)));
        });
        forEach(fine.inside, (z, y, x) -> {
            int i = fine.index(z, y, x);
            if (isActive(z, y, x)) {
                residual[i] = 0;
            }
        });
        forEach(coarse.inside, (z, y, x) -> {
            int i = coarse.index(z, y, x);
            coarse.f[i] = weighted(residual, z, y, x);
            if (coarse.isConstrained()) {
                coarse.fixed[i] = activeWeight(z, y, x) >= 9;
            }
        });
        Arrays.fill(near, false);
        forEach(coarse.inside, (z, y, x) -> {
            int weight = activeWeight(z, y, x);
            if (weight > 0 && weight < 64) {
                addNear(z, y, x);
            }
        });
        forEach(coarse.withGhosts, (z, y, x) -> coarse.u[coarse.index(z, y, x)] = fine.u[injected(z, y, x)]);
        forEach(coarse.inside, (z, y, x) -> {
            int i = coarse.index(z, y, x);
            coarse.f[i] -= neighbors(coarse, z, y, x) - coarse.diagonal(z, y, x) * coarse.u[i];
        });
        return norm[0];
    }

    /** The fine points within two coarse points of this one; along rows in whole groups of eight. */
    private void addNear(int z, int y, int x) {
        forEach(fine.inside, (fz, fy, fx) -> {
            int across = Math.abs((fine.isSolid() ? fz >> 1 : fz) - z);
            int group = fx >> 3;
            if (across <= 2
                    && Math.abs((fy >> 1) - y) <= 2
                    && group >= ((2 * x - 4) >> 3)
                    && group <= ((2 * x + 4) >> 3)) {
                near[fine.index(fz, fy, fx)] = true;
            }
        });
    }

    private int injected(int z, int y, int x) {
        return fine.index(fine.isSolid() ? 2 * z : z, 2 * y, 2 * x);
    }

    private double weighted(double[] residual, int z, int y, int x) {
        double sum = 0;
        for (int fz = fine.inside.lo(0); fz <= fine.inside.hi(0); fz++) {
            double ofPlane = 0;
            for (int fy = fine.inside.lo(1); fy <= fine.inside.hi(1); fy++) {
                double weight = weight(fine.rows, fy, y);
                if (weight != 0 && weight(fine.planes, fz, z) != 0) {
                    ofPlane += weight * ofRow(residual, fz, fy, x);
                }
            }
            if (weight(fine.planes, fz, z) != 0) {
                sum += weight(fine.planes, fz, z) * ofPlane;
            }
        }
        return sum;
    }

    /** With which a fine point's residual enters a coarse point. */
    private static double weight(AxisLevel axis, int point, int coarsePoint) {
        if (axis.below[point] == coarsePoint) {
            return axis.toBelow[point];
        }
        return axis.below[point] + 1 == coarsePoint ? axis.toAbove[point] : 0;
    }

    private double ofRow(double[] residual, int z, int y, int x) {
        if (x < coarse.columns.n) {
            double beside = residual[fine.index(z, y, 2 * x - 1)] + residual[fine.index(z, y, 2 * x + 1)];
            return 0.25 * beside + 0.5 * residual[fine.index(z, y, 2 * x)];
        }
        double sum = 0;
        for (int k = 2 * x - 1; k <= fine.columns.n; k++) {
            sum += weight(fine.columns, k, x) * residual[fine.index(z, y, k)];
        }
        return sum;
    }

    /** Of active points, of 64. */
    private int activeWeight(int z, int y, int x) {
        int middle = fine.isSolid() ? 2 * z : z;
        int[] sum = new int[1];
        forEach(fine.inside, (fz, fy, fx) -> {
            int across = fine.isSolid() ? Math.max(0, 2 - Math.abs(fz - middle)) : 4;
            int rows = Math.max(0, 2 - Math.abs(fy - 2 * y));
            int columns = Math.max(0, 2 - Math.abs(fx - 2 * x));
            if (isActive(fz, fy, fx)) {
                sum[0] += across * rows * columns;
            }
        });
        return sum[0];
    }
}
