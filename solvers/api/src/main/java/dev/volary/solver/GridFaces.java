// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which of a block's halos lies on which face of its box, for a {@linkplain GridDecomposition grid decomposition}. A face
 * without a halo lies on the boundary of the grid.
 */
public final class GridFaces {
    private static final int NONE = -1;

    private final Box core;
    private final int[] low;
    private final int[] high;

    private GridFaces(Box core, int[] low, int[] high) {
        this.core = core;
        this.low = low;
        this.high = high;
    }

    /**
     * @throws IllegalArgumentException if the block or one of its halos is no box, or a halo does not cover one whole face
     */
    public static GridFaces of(Decomposition decomposition, int block) {
        Box core = box(decomposition.parts().get(block).core(), "block " + block);
        int[] low = new int[core.axes()];
        int[] high = new int[core.axes()];
        Arrays.fill(low, NONE);
        Arrays.fill(high, NONE);
        List<Edge> incoming = decomposition.incoming(block);
        for (int k = 0; k < incoming.size(); k++) {
            Box values = box(incoming.get(k).values(), "halo " + k + " of block " + block);
            int axis = axisBeside(core, values);
            int[] side = values.hi(axis) == core.lo(axis) ? low : high;
            if (side[axis] != NONE) {
                throw new IllegalArgumentException(
                        "halos " + side[axis] + " and " + k + " of block " + block + " lie on the same face");
            }
            side[axis] = k;
        }
        return new GridFaces(core, low, high);
    }

    private static Box box(Region region, String what) {
        if (region instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException(what + " is no box but " + region);
    }

    /**
     * The axis on which a box lies beside a core.
     *
     * @throws IllegalArgumentException if it does not cover one whole face of it
     */
    public static int axisBeside(Box core, Box values) {
        int beside = NONE;
        boolean matches = core.axes() == values.axes();
        for (int a = 0; matches && a < core.axes(); a++) {
            if (values.lo(a) == core.lo(a) && values.hi(a) == core.hi(a)) {
                continue;
            }
            matches = beside == NONE && (values.hi(a) == core.lo(a) || values.lo(a) == core.hi(a));
            beside = a;
        }
        if (!matches || beside == NONE) {
            throw new IllegalArgumentException(values + " is not a face beside " + core);
        }
        return beside;
    }

    /** The block's own points. */
    public Box core() {
        return core;
    }

    /** The number of the halo below the first index of {@code axis}, or empty on the boundary of the grid. */
    public OptionalInt low(int axis) {
        return number(low[axis]);
    }

    /** The number of the halo above the last index of {@code axis}, or empty on the boundary of the grid. */
    public OptionalInt high(int axis) {
        return number(high[axis]);
    }

    private static OptionalInt number(int k) {
        return k == NONE ? OptionalInt.empty() : OptionalInt.of(k);
    }
}
