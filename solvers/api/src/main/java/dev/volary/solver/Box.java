// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A rectangular region of a grid, in row-major order: {@code lo} inclusive, {@code hi} exclusive. */
public final class Box implements Region {
    private final int[] lo;
    private final int[] hi;

    private Box(int[] lo, int[] hi) {
        this.lo = lo;
        this.hi = hi;
    }

    /**
     * @param lo first index on each axis
     * @param hi one past the last index on each axis
     * @throws IllegalArgumentException if the box is empty or the axes do not agree
     */
    public static Box of(int[] lo, int[] hi) {
        if (lo.length != hi.length || lo.length == 0) {
            throw new IllegalArgumentException("corners have " + lo.length + " and " + hi.length + " axes");
        }
        long size = 1;
        for (int a = 0; a < lo.length; a++) {
            if (lo[a] < 0 || hi[a] <= lo[a]) {
                throw new IllegalArgumentException(
                        "empty or negative box " + Arrays.toString(lo) + " … " + Arrays.toString(hi));
            }
            size = Math.multiplyExact(size, hi[a] - lo[a]);
        }
        Math.toIntExact(size);
        return new Box(lo.clone(), hi.clone());
    }

    /** Number of axes. */
    public int axes() {
        return lo.length;
    }

    /** First index on {@code axis}. */
    public int lo(int axis) {
        return lo[axis];
    }

    /** One past the last index on {@code axis}. */
    public int hi(int axis) {
        return hi[axis];
    }

    /** Length along {@code axis}. */
    public int extent(int axis) {
        return hi[axis] - lo[axis];
    }

    /**
     * The points that lie in both boxes; empty if there are none.
     *
     * @throws IllegalArgumentException if the numbers of axes differ
     */
    public Optional<Box> intersect(Box other) {
        if (other.axes() != axes()) {
            throw new IllegalArgumentException(this + " and " + other + " differ in their axes");
        }
        int[] from = new int[lo.length];
        int[] to = new int[lo.length];
        for (int a = 0; a < lo.length; a++) {
            from[a] = Math.max(lo[a], other.lo[a]);
            to[a] = Math.min(hi[a], other.hi[a]);
            if (from[a] >= to[a]) {
                return Optional.empty();
            }
        }
        return Optional.of(new Box(from, to));
    }

    @Override
    public int size() {
        int size = 1;
        for (int a = 0; a < lo.length; a++) {
            size *= extent(a);
        }
        return size;
    }

    @Override
    public void forEach(Shape shape, LongConsumer visitor) {
        if (shape.axes() != lo.length) {
            throw new IllegalArgumentException("box has " + lo.length + " axes, shape " + shape);
        }
        visit(shape, 0, 0, visitor);
    }

    private void visit(Shape shape, int axis, long base, LongConsumer visitor) {
        for (int i = lo[axis]; i < hi[axis]; i++) {
            long index = base * shape.extent(axis) + i;
            if (axis == lo.length - 1) {
                visitor.accept(index);
            } else {
                visit(shape, axis + 1, index, visitor);
            }
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Box other && Arrays.equals(lo, other.lo) && Arrays.equals(hi, other.hi);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(lo) + Arrays.hashCode(hi);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int a = 0; a < lo.length; a++) {
            text.append(text.isEmpty() ? "" : " × ")
                    .append('[')
                    .append(lo[a])
                    .append(", ")
                    .append(hi[a])
                    .append(')');
        }
        return text.toString();
    }
}
