// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;

/** Extents of an array, slowest axis first (row major, as in C). */
public final class Shape {
    private final int[] extents;

    private Shape(int[] extents) {
        this.extents = extents;
    }

    /**
     * @param extents one positive extent for each axis
     */
    public static Shape of(int... extents) {
        if (extents.length == 0) {
            throw new IllegalArgumentException("a shape needs at least one axis");
        }
        for (int e : extents) {
            if (e < 1) {
                throw new IllegalArgumentException(
                        "extents are " + Arrays.toString(extents) + ", must all be positive");
            }
        }
        return new Shape(extents.clone());
    }

    /** Number of axes. */
    public int axes() {
        return extents.length;
    }

    /** Extent of axis {@code axis}, 0 being the slowest. */
    public int extent(int axis) {
        return extents[axis];
    }

    /** A copy of all extents. */
    public int[] extents() {
        return extents.clone();
    }

    /** Number of elements. */
    public long size() {
        long size = 1;
        for (int e : extents) {
            size = Math.multiplyExact(size, e);
        }
        return size;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Shape other && Arrays.equals(extents, other.extents);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(extents);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int e : extents) {
            text.append(text.isEmpty() ? "" : " × ").append(e);
        }
        return text.toString();
    }
}
