// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** An explicit list of global indices, in any order, none twice. */
public final class IndexList implements Region {
    private final int[] indices;

    private IndexList(int[] indices) {
        this.indices = indices;
    }

    /**
     * @param indices global indices, not empty, none negative; copied
     */
    public static IndexList of(int... indices) {
        if (indices.length == 0) {
            throw new IllegalArgumentException("a region needs at least one index");
        }
        for (int i : indices) {
            if (i < 0) {
                throw new IllegalArgumentException("negative index " + i);
            }
        }
        return new IndexList(indices.clone());
    }

    /** The global index at {@code position}. */
    public int at(int position) {
        return indices[position];
    }

    @Override
    public int size() {
        return indices.length;
    }

    @Override
    public void forEach(Shape shape, LongConsumer visitor) {
        for (int i : indices) {
            visitor.accept(i);
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof IndexList other && Arrays.equals(indices, other.indices);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(indices);
    }

    @Override
    public String toString() {
        return indices.length + " indices from " + indices[0] + " to " + indices[indices.length - 1];
    }
}
