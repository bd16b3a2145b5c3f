// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * The operator on consecutive points of one row that have the same coefficients, and the loops over them. One object serves
 * all rows of a level, one after the other.
 */
final class RowStencil {
    private final int row;
    private final int plane;
    private double front;
    private double back;
    private double up;
    private double down;
    private double left;
    private double right;
    private double diagonal;

    /**
     * @param row distance of neighboring rows in the arrays
     * @param plane distance of neighboring planes, 0 if there is only one
     */
    RowStencil(int row, int plane) {
        this.row = row;
        this.plane = plane;
    }

    /** Takes the coefficients of the point {@code (z, y, x)}. */
    RowStencil of(GridLevel level, int z, int y, int x) {
        front = level.planes.left[z];
        back = level.planes.right[z];
        up = level.rows.left[y];
        down = level.rows.right[y];
        left = level.columns.left[x];
        right = level.columns.right[x];
        diagonal = level.diagonal(z, y, x);
        return this;
    }

    /** Whether all six neighbors have the same coefficient. */
    private boolean isIsotropic() {
        return front == back && up == down && left == right && front == up && up == left;
    }

    /**
     * Relaxes every other point from {@code begin} to {@code end}, both array indices.
     *
     * @param shift what to add to the index of a value for that of its right-hand side
     */
    void relax(double[] u, double[] f, int begin, int end, int shift, double omega) {
        if (isIsotropic()) {
            relaxIsotropic(u, f, begin, end, shift, omega);
        } else {
            relaxGeneral(u, f, begin, end, shift, omega);
        }
    }

    private void relaxIsotropic(double[] u, double[] f, int begin, int end, int shift, double omega) {
        int rowStride = row;
        int planeStride = plane;
        double coupling = left;
        double keep = 1 - omega;
        double scale = omega / diagonal;
        for (int i = begin; i <= end; i += 2) {
            double sum =
                    u[i - planeStride] + u[i - rowStride] + u[i - 1] + u[i + 1] + u[i + rowStride] + u[i + planeStride];
            u[i] = keep * u[i] + scale * (coupling * sum + f[i + shift]);
        }
    }

    private void relaxGeneral(double[] u, double[] f, int begin, int end, int shift, double omega) {
        double keep = 1 - omega;
        double scale = omega / diagonal;
        for (int i = begin; i <= end; i += 2) {
            u[i] = keep * u[i] + scale * (neighbors(u, i) + f[i + shift]);
        }
    }

    /** As {@link #relax}, but leaves fixed points alone and lifts the others to the obstacle. */
    void relaxProjected(
            double[] u, double[] f, double[] lower, boolean[] fixed, int begin, int end, int shift, double omega) {
        double keep = 1 - omega;
        double scale = omega / diagonal;
        for (int i = begin; i <= end; i += 2) {
            if (!fixed[i]) {
                double free = keep * u[i] + scale * (neighbors(u, i) + f[i + shift]);
                u[i] = free < lower[i] ? lower[i] : free;
            }
        }
    }

    /**
     * Writes {@code f − Au} of consecutive points.
     *
     * @param begin array index of the first
     * @param shift what to add to the index of a value for that of its right-hand side
     * @param at index of the first in {@code target}
     */
    void residual(double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        if (isIsotropic()) {
            residualIsotropic(u, f, begin, count, shift, target, at);
            return;
        }
        double center = diagonal;
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            target[at + x] = f[i + shift] + (neighbors(u, i) - center * u[i]);
        }
    }

    private void residualIsotropic(double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int rowStride = row;
        int planeStride = plane;
        double coupling = left;
        double center = diagonal;
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            double sum =
                    u[i - planeStride] + u[i - rowStride] + u[i - 1] + u[i + 1] + u[i + rowStride] + u[i + planeStride];
            target[at + x] = f[i + shift] + (coupling * sum - center * u[i]);
        }
    }

    private double neighbors(double[] u, int i) {
        return front * u[i - plane]
                + up * u[i - row]
                + left * u[i - 1]
                + right * u[i + 1]
                + down * u[i + row]
                + back * u[i + plane];
    }
}
