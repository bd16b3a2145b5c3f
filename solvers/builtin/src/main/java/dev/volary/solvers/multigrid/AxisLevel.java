// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.GridPatch;

/**
 * One axis of a grid on one level: the coefficients of the difference operator and of the transfers to the next coarser
 * level. Arrays are indexed by the point's number k = 0 … n + 1 on the level; 0 and n + 1 lie on the boundary of the domain.
 *
 * <p>Point k lies on line {@code 2^level · k} of the finest grid, and n + 1 on its last line, so that the last cell may be
 * longer or shorter than the others.
 */
final class AxisLevel {
    /** Number of points. */
    final int n;
    /** Coefficients of the left and right neighbor in {@code −εu″ + vu′}: the row is {@code (left + right)u_k − left u_(k−1) − right u_(k+1)}. */
    final double[] left;

    final double[] right;
    /** Lengths of the cells: between point k − 1 and point k. */
    final double[] cell;
    /** Points 1 … uniform have the coefficients of point 1. */
    final int uniform;
    /** Length that belongs to a point: half of the two cells beside it. */
    final double[] volume;

    private final double[] position;

    /** The coarse point at or below a point. */
    int[] below = {};
    /** Weights with which {@link #below} and the point above it are interpolated. */
    double[] fromBelow = {};

    double[] fromAbove = {};
    /** Weights with which a point's residual enters {@link #below} and the point above it, {@code R = V⁻¹ Pᵀ V}. */
    double[] toBelow = {};

    double[] toAbove = {};

    private AxisLevel(int n, double[] position, double step, double diffusion, double velocity) {
        this.n = n;
        this.position = position;
        left = new double[n + 2];
        right = new double[n + 2];
        volume = new double[n + 2];
        cell = new double[n + 2];
        for (int k = 1; k <= n + 1; k++) {
            cell[k] = (position[k] - position[k - 1]) * step;
        }
        for (int k = 1; k <= n; k++) {
            double below = cell[k];
            double above = cell[k + 1];
            left[k] = 2 * diffusion / (below * (below + above));
            right[k] = 2 * diffusion / (above * (below + above));
            if (velocity > 0) {
                left[k] += velocity / below;
            } else {
                right[k] -= velocity / above;
            }
            volume[k] = (below + above) / 2;
        }
        uniform = left[n] == left[1] && right[n] == right[1] ? n : n - 1;
    }

    /** The axis that a grid of two axes lacks: one point without neighbors, the same on all levels. */
    static AxisLevel[] missing(int levels) {
        AxisLevel[] axis = new AxisLevel[levels];
        for (int level = 0; level < levels; level++) {
            axis[level] = new AxisLevel(1, new double[] {0, 1, 2}, 1, 0, 0);
            axis[level].below = new int[] {0, 1, 2};
            axis[level].fromBelow = new double[] {1, 1, 1};
            axis[level].fromAbove = new double[3];
            axis[level].toBelow = new double[] {0, 1, 0};
            axis[level].toAbove = new double[3];
        }
        return axis;
    }

    /**
     * All levels of an axis.
     *
     * @param n unknowns of the finest level
     * @param step distance of its points
     * @param diffusion ε
     * @param velocity v, by upwind differences
     */
    static AxisLevel[] of(int n, double step, double diffusion, double velocity, int levels) {
        AxisLevel[] axis = new AxisLevel[levels];
        for (int level = 0; level < levels; level++) {
            int points = GridPatch.pointsOnLevel(n, level);
            double[] position = new double[points + 2];
            for (int k = 0; k <= points; k++) {
                position[k] = (double) k * (1 << level);
            }
            position[points + 1] = n + 1;
            axis[level] = new AxisLevel(points, position, step, diffusion, velocity);
            if (level > 0) {
                axis[level - 1].transferTo(axis[level]);
            }
        }
        return axis;
    }

    private void transferTo(AxisLevel coarse) {
        below = new int[n + 2];
        fromBelow = new double[n + 2];
        fromAbove = new double[n + 2];
        toBelow = new double[n + 2];
        toAbove = new double[n + 2];
        for (int k = 0; k <= n + 1; k++) {
            int beneath = k == n + 1 ? coarse.n + 1 : Math.min(k / 2, coarse.n);
            below[k] = beneath;
            double above = beneath > coarse.n
                    ? 0
                    : (position[k] - coarse.position[beneath])
                            / (coarse.position[beneath + 1] - coarse.position[beneath]);
            fromBelow[k] = 1 - above;
            fromAbove[k] = above;
            if (k >= 1 && k <= n) {
                toBelow[k] = beneath >= 1 ? fromBelow[k] * volume[k] / coarse.volume[beneath] : 0;
                toAbove[k] = beneath + 1 <= coarse.n ? above * volume[k] / coarse.volume[beneath + 1] : 0;
            }
        }
    }
}
