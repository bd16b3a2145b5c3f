// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Box;
import dev.volary.solver.GridPatch;

/** Points {@code lo … hi} of one level in each of three directions, both inclusive and numbered from 1; may be empty. */
final class LevelBox {
    /** No points. */
    static final LevelBox NONE = new LevelBox(new int[] {1, 1, 1}, new int[3]);

    private final int[] lo;
    private final int[] hi;

    private LevelBox(int[] lo, int[] hi) {
        this.lo = lo;
        this.hi = hi;
    }

    /** All points of a level. */
    static LevelBox whole(GridOperator operator, int level) {
        int[] hi = new int[3];
        for (int direction = 0; direction < 3; direction++) {
            hi[direction] = operator.axis(direction, level).n;
        }
        return new LevelBox(new int[] {1, 1, 1}, hi);
    }

    /** The points of a level that lie in a box of unknowns. */
    static LevelBox within(Box unknowns, GridOperator operator, int level) {
        int[] lo = {1, 1, 1};
        int[] hi = {1, 1, 1};
        int axes = unknowns.axes();
        for (int a = 0; a < axes; a++) {
            int direction = a + 3 - axes;
            lo[direction] = Math.ceilDiv(unknowns.lo(a) + 1, 1 << level);
            hi[direction] = Math.min(unknowns.hi(a) >> level, operator.axis(direction, level).n);
        }
        return new LevelBox(lo, hi);
    }

    /** The points of a level between the ghosts of a patch. */
    static LevelBox inside(GridPatch patch, GridOperator operator, int level) {
        int[] lo = {1, 1, 1};
        int[] hi = {1, 1, 1};
        int axes = patch.core().axes();
        for (int a = 0; a < axes; a++) {
            int direction = a + 3 - axes;
            boolean toBoundary = patch.high(a) > operator.unknowns().extent(a);
            lo[direction] = (patch.low(a) >> level) + 1;
            hi[direction] = toBoundary ? operator.axis(direction, level).n : (patch.high(a) >> level) - 1;
        }
        return new LevelBox(lo, hi);
    }

    /** With the ghosts round it, without those on the boundary of the domain. */
    LevelBox withGhosts(GridOperator operator, int level) {
        int[] from = lo.clone();
        int[] to = hi.clone();
        for (int direction = 0; direction < 3; direction++) {
            if (operator.has(direction)) {
                from[direction] = Math.max(lo[direction] - 1, 1);
                to[direction] = Math.min(hi[direction] + 1, operator.axis(direction, level).n);
            }
        }
        return new LevelBox(from, to);
    }

    /** With all ghosts round it, those on the boundary of the domain included. */
    LevelBox withAllGhosts(GridOperator operator) {
        int[] from = lo.clone();
        int[] to = hi.clone();
        for (int direction = 0; direction < 3; direction++) {
            if (operator.has(direction)) {
                from[direction]--;
                to[direction]++;
            }
        }
        return new LevelBox(from, to);
    }

    int lo(int direction) {
        return lo[direction];
    }

    int hi(int direction) {
        return hi[direction];
    }

    int extent(int direction) {
        return Math.max(0, hi[direction] - lo[direction] + 1);
    }

    int size() {
        return extent(0) * extent(1) * extent(2);
    }
}
