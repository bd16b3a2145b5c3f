// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * The operator on the points of a level where its coefficients differ from point to point, and the loops over a row. Arrays are
 * laid out as the level's values. Immutable.
 */
final class PointCoefficients {
    private final boolean isSolid;
    private final double[] front;
    private final double[] back;
    private final double[] up;
    private final double[] down;
    private final double[] left;
    private final double[] right;
    private final double[] diagonal;

    /**
     * @param level whose axes have the diffusion, or 1 if it differs from point to point
     * @param number of the level
     */
    PointCoefficients(GridLevel level, GridOperator operator, int number, GridOperator.Flow flow) {
        isSolid = level.isSolid();
        int size = level.u.length;
        front = new double[isSolid ? size : 0];
        back = new double[isSolid ? size : 0];
        up = new double[size];
        down = new double[size];
        left = new double[size];
        right = new double[size];
        diagonal = new double[size];
        FaceDiffusion faces = new FaceDiffusion(operator, number);
        LevelBox box = level.inside;
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int x = box.lo(2); x <= box.hi(2); x++) {
                    int i = level.index(z, y, x);
                    int[] lines = {operator.line(0, number, z), operator.line(1, number, y), operator.line(2, number, x)
                    };
                    int[] point = {z, y, x};
                    if (isSolid) {
                        set(front, back, i, level.planes, point, 0, faces, flow.at(0, lines[0], lines[1], lines[2]));
                    }
                    set(up, down, i, level.rows, point, 1, faces, flow.at(1, lines[0], lines[1], lines[2]));
                    set(left, right, i, level.columns, point, 2, faces, flow.at(2, lines[0], lines[1], lines[2]));
                }
            }
        }
    }

    private void set(
            double[] before,
            double[] after,
            int i,
            AxisLevel axis,
            int[] point,
            int direction,
            FaceDiffusion faces,
            double velocity) {
        int k = point[direction];
        before[i] = faces.before(axis, direction, point) + Math.max(velocity, 0) / axis.cell[k];
        after[i] = faces.after(axis, direction, point) + Math.max(-velocity, 0) / axis.cell[k + 1];
        diagonal[i] += before[i] + after[i];
    }

    /** Relaxes every other point of a row, see {@link RowKernel#relax}; of the stencil it takes the places of the neighbors. */
    void relax(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        double keep = 1 - omega;
        for (int i = begin; i < begin + count; i++) {
            u[i] = keep * u[i] + omega * (neighbors(stencil, u, i) + f[i + shift]) / diagonal[i];
        }
    }

    /** {@code target[at + x] = f[begin + shift + x] − (Au)[begin + x]}. */
    void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            target[at + x] = f[i + shift] + (neighbors(stencil, u, i) - diagonal[i] * u[i]);
        }
    }

    private double neighbors(RowStencil to, double[] u, int i) {
        double inPlane = up[i] * u[i + to.toUp]
                + left[i] * u[i + to.toLeft]
                + right[i] * u[i + to.toLeft + 1]
                + down[i] * u[i + to.toDown];
        return isSolid ? inPlane + front[i] * u[i + to.toFront] + back[i] * u[i + to.toBack] : inPlane;
    }
}
