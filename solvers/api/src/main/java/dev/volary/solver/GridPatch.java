// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The part of a grid on which one block of a multigrid method works: its core, some layers round it, and as many more as it
 * takes for the planes of ghosts that bound it to lie on planes of the coarsest level, or on the boundary of the domain. So
 * the ghosts of every level are points of that level, and no special interpolation is needed.
 *
 * <p><b>Lines and levels.</b> The unknowns of an axis lie on the lines 1 … n, the boundary of the domain on 0 and n + 1. Level
 * l has the lines 2^l · k, k = 1 … {@link #pointsOnLevel}. Any n works: the last cell of a level is between 0.5 and 1.5 times
 * as long as the others.
 */
public final class GridPatch {
    private final Box core;
    private final int[] low;
    private final int[] high;
    private final Box box;

    private GridPatch(Box core, int[] low, int[] high, Box box) {
        this.core = core;
        this.low = low;
        this.high = high;
        this.box = box;
    }

    /**
     * The smallest patch of a core.
     *
     * @param overlap layers of points round the core, at least 0
     * @param level the coarsest level, on whose planes the ghosts lie; at most {@link #deepestLevel}
     */
    public static GridPatch around(Box core, Shape unknowns, int overlap, int level) {
        if (overlap < 0 || level < 0 || level > deepestLevel(unknowns)) {
            throw new IllegalArgumentException(
                    "overlap is " + overlap + ", level is " + level + " for a grid of " + unknowns + " points");
        }
        int axes = core.axes();
        int[] low = new int[axes];
        int[] high = new int[axes];
        int[] from = new int[axes];
        int[] to = new int[axes];
        int step = 1 << level;
        for (int a = 0; a < axes; a++) {
            int n = unknowns.extent(a);
            // The core has the lines lo + 1 … hi.
            low[a] = Math.max(0, Math.floorDiv(core.lo(a) - overlap, step) * step);
            int above = Math.ceilDiv(core.hi(a) + 1 + overlap, step) * step;
            high[a] = core.hi(a) == n || above > pointsOnLevel(n, level) * step ? n + 1 : above;
            from[a] = Math.max(low[a], 1) - 1;
            to[a] = Math.min(high[a], n);
        }
        return new GridPatch(core, low, high, Box.of(from, to));
    }

    /** Number of points of an axis with {@code n} unknowns on a level: {@code ⌊(n + 1)/2^level − ½⌋}, at least 0. */
    public static int pointsOnLevel(int n, int level) {
        int step = 1 << level;
        return Math.max(0, Math.floorDiv(2 * (n + 1) - step, 2 * step));
    }

    /** The coarsest level that has points on every axis. */
    public static int deepestLevel(Shape unknowns) {
        int level = 0;
        while (hasPoints(unknowns, level + 1)) {
            level++;
        }
        return level;
    }

    private static boolean hasPoints(Shape unknowns, int level) {
        for (int a = 0; a < unknowns.axes(); a++) {
            if (pointsOnLevel(unknowns.extent(a), level) < 1) {
                return false;
            }
        }
        return true;
    }

    /** The block's own points. */
    public Box core() {
        return core;
    }

    /** The line of the ghosts below the patch; 0 is the boundary of the domain. */
    public int low(int axis) {
        return low[axis];
    }

    /** The line of the ghosts above the patch; n + 1 is the boundary of the domain. */
    public int high(int axis) {
        return high[axis];
    }

    /** All unknowns of the patch, including those of its ghost planes that do not lie on the boundary of the domain. */
    public Box box() {
        return box;
    }

    @Override
    public String toString() {
        return "patch " + box + " round " + core;
    }
}
