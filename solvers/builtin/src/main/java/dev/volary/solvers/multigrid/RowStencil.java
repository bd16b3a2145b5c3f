// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * The operator on every other point of one row, if they have the same coefficients. One object serves all rows of a level, one
 * after the other. The neighbors of a point have the other color.
 */
final class RowStencil {
    /** What to add to the array index of a point for those of its neighbors; the right one follows the left one. */
    final int toFront;

    final int toBack;
    final int toUp;
    final int toDown;
    final int toLeft;
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
     * @param otherColor distance of the points of the other color in the arrays
     * @param row distance of neighboring rows
     * @param plane distance of neighboring planes, 0 if there is only one
     * @param odd 1 for odd columns, 0 for even ones
     */
    RowStencil(int otherColor, int row, int plane, int odd) {
        toFront = otherColor - plane;
        toBack = otherColor + plane;
        toUp = otherColor - row;
        toDown = otherColor + row;
        toLeft = otherColor + odd - 1;
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
}
