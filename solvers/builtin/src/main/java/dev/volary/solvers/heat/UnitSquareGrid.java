// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

import dev.volary.solver.Box;
import dev.volary.solver.GridAxis;
import dev.volary.solvers.kernel.GhostGrid;
import java.util.List;

/**
 * The unit square with n × n interior points and values on its boundary. Point (iy, ix) lies at x = (ix + 1)h,
 * y = (iy + 1)h with h = 1/(n + 1); −1 and n are the boundary.
 *
 * @param n interior points along each edge
 * @param boundary the values
 */
record UnitSquareGrid(int n, DirichletBoundary boundary) {

    /** 1/h². */
    double inverseSquare() {
        return (n + 1.0) * (n + 1.0);
    }

    /** Where the points lie, y first. */
    List<GridAxis> axes() {
        return GridAxis.interior(0, 1, n, 2);
    }

    /** The coordinate of the i-th grid line. */
    double coordinate(int i) {
        return (i + 1) / (n + 1.0);
    }

    /** The boundary's value at a point. */
    double value(int iy, int ix) {
        return boundary.at(coordinate(ix), coordinate(iy));
    }

    /** The sum of those of a point's four neighbors that lie on the boundary. */
    double neighborsOutside(int iy, int ix) {
        double sum = 0;
        sum += iy == 0 ? value(-1, ix) : 0;
        sum += ix == 0 ? value(iy, -1) : 0;
        sum += ix == n - 1 ? value(iy, n) : 0;
        sum += iy == n - 1 ? value(n, ix) : 0;
        return sum;
    }

    /** The largest magnitude on the boundary. */
    double largest() {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            for (int j : new int[] {-1, n}) {
                largest = Math.max(largest, Math.max(Math.abs(value(i, j)), Math.abs(value(j, i))));
            }
        }
        return largest;
    }

    /** Writes the boundary's values into those ghosts of a block's grid that lie on it. */
    void fill(GhostGrid layout, double[] grid) {
        Box core = layout.core();
        for (int iy = core.lo(0); iy < core.hi(0); iy++) {
            fill(layout, grid, iy, core.lo(1) - 1);
            fill(layout, grid, iy, core.hi(1));
        }
        for (int ix = core.lo(1); ix < core.hi(1); ix++) {
            fill(layout, grid, core.lo(0) - 1, ix);
            fill(layout, grid, core.hi(0), ix);
        }
    }

    private void fill(GhostGrid layout, double[] grid, int iy, int ix) {
        if (iy < 0 || iy == n || ix < 0 || ix == n) {
            grid[layout.index(0, iy - layout.core().lo(0), ix - layout.core().lo(1))] = value(iy, ix);
        }
    }
}
