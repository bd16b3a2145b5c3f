// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.function.LongConsumer;

/**
 * A set of unknowns in a fixed order. Indices are global and row major within the {@link Shape} of the problem.
 */
public sealed interface Region permits Box, IndexRange, IndexList {

    /** Number of unknowns; always fits one Java array. */
    int size();

    /** Visits the global index of each unknown in this region's order. */
    void forEach(Shape shape, LongConsumer visitor);

    /** All global indices, in this region's order. */
    default long[] indices(Shape shape) {
        long[] indices = new long[size()];
        int[] next = {0};
        forEach(shape, index -> indices[next[0]++] = index);
        return indices;
    }
}
