// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.function.LongConsumer;

/**
 * Consecutive global indices.
 *
 * @param lo first index
 * @param hi one past the last index
 */
public record IndexRange(long lo, long hi) implements Region {

    public IndexRange {
        if (lo < 0 || hi <= lo) {
            throw new IllegalArgumentException("empty or negative range [" + lo + ", " + hi + ")");
        }
        Math.toIntExact(hi - lo);
    }

    @Override
    public int size() {
        return (int) (hi - lo);
    }

    @Override
    public void forEach(Shape shape, LongConsumer visitor) {
        for (long i = lo; i < hi; i++) {
            visitor.accept(i);
        }
    }
}
