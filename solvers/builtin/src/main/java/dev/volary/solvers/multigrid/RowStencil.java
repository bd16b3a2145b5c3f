// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * The operator on consecutive points of one row that have the same coefficients. One object serves all rows of a level, one after
 * the other.
 */
final class RowStencil {
    final int row;
    final int plane;
    double front;
    double back;
    double up;
    double down;
    double left;
    double right;
    double diagonal;
    /** Whether all six neighbors have the same coefficient. */
    boolean isotropic;

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
        isotropic = front == back && up == down && left == right && front == up && up == left;
        return this;
    }

    /** The sum of the neighbors of a point, by their coefficients. Loops over this are compiled twice, once for each case. */
    double neighbors(double[] u, int i) {
        if (isotropic) {
            return left * (u[i - plane] + u[i - row] + u[i - 1] + u[i + 1] + u[i + row] + u[i + plane]);
        }
        return front * u[i - plane]
                + up * u[i - row]
                + left * u[i - 1]
                + right * u[i + 1]
                + down * u[i + row]
                + back * u[i + plane];
    }
}
