// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.npy;

import java.util.List;

/**
 * What stands before the elements of an array.
 *
 * @param type of the elements
 * @param shape extents, the slowest axis first; empty for a single element
 * @param isFortranOrder whether the first axis is the fastest in the file instead of the last
 * @param bytes of the header: the elements begin there
 */
public record NpyHeader(NpyType type, List<Long> shape, boolean isFortranOrder, int bytes) {

    public NpyHeader {
        shape = List.copyOf(shape);
    }

    /** Whether the array has one axis. */
    public boolean isVector() {
        return shape.size() == 1;
    }

    /** Number of elements. */
    public long size() {
        long size = 1;
        for (long extent : shape) {
            size = Math.multiplyExact(size, extent);
        }
        return size;
    }

    /** The shape for messages, as {@code 3 × 4}. */
    public String shapeText() {
        if (shape.isEmpty()) {
            return "a single number";
        }
        StringBuilder text = new StringBuilder();
        for (long extent : shape) {
            text.append(text.isEmpty() ? "" : " × ").append(extent);
        }
        return text.toString();
    }
}
