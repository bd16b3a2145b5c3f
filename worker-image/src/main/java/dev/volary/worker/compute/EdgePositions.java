// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.solver.Box;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import java.util.Arrays;

/** Where the values of an edge stand in the core of the block they come from. */
public final class EdgePositions {
    private EdgePositions() {}

    /**
     * Positions in the order of {@code edge}.
     *
     * @param core region whose order the core's values have
     * @param edge unknowns, all within {@code core}
     * @throws IllegalArgumentException if an unknown of the edge is not in the core: a defect of the decomposition
     */
    public static int[] of(Shape shape, Region core, Region edge) {
        if (core instanceof Box inside && edge instanceof Box box) {
            return ofBoxes(inside, box);
        }
        long[] globals = core.indices(shape);
        int[] order = order(globals);
        long[] sorted = new long[globals.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = globals[order[i]];
        }
        int[] positions = new int[edge.size()];
        int[] next = {0};
        edge.forEach(shape, index -> {
            int found = Arrays.binarySearch(sorted, index);
            if (found < 0) {
                throw new IllegalArgumentException("unknown " + index + " of an edge is not in the core of its block");
            }
            positions[next[0]++] = order[found];
        });
        return positions;
    }

    private static int[] ofBoxes(Box core, Box edge) {
        int[] positions = new int[edge.size()];
        int axes = core.axes();
        int[] at = new int[axes];
        for (int a = 0; a < axes; a++) {
            at[a] = edge.lo(a);
            if (edge.lo(a) < core.lo(a) || edge.hi(a) > core.hi(a)) {
                throw new IllegalArgumentException("edge " + edge + " is not in the core " + core + " of its block");
            }
        }
        for (int i = 0; i < positions.length; i++) {
            int position = 0;
            for (int a = 0; a < axes; a++) {
                position = position * core.extent(a) + at[a] - core.lo(a);
            }
            positions[i] = position;
            for (int a = axes - 1; a >= 0 && ++at[a] == edge.hi(a) && a > 0; a--) {
                at[a] = edge.lo(a);
            }
        }
        return positions;
    }

    /** Permutation that sorts {@code globals}; the identity if they are sorted already. */
    private static int[] order(long[] globals) {
        int[] order = new int[globals.length];
        boolean sorted = true;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            sorted &= i == 0 || globals[i - 1] < globals[i];
        }
        if (sorted) {
            return order;
        }
        return Arrays.stream(order)
                .boxed()
                .sorted((a, b) -> Long.compare(globals[a], globals[b]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
