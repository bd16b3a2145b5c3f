// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An array cut into equal chunks, row major; the last chunk on an axis may reach beyond the array. */
public final class ChunkGrid {
    private final int[] shape;
    private final int[] chunk;

    private ChunkGrid(int[] shape, int[] chunk) {
        this.shape = shape;
        this.chunk = chunk;
    }

    /**
     * @param shape extents of the array, slowest axis first
     * @param chunk extents of a chunk, one for each axis
     * @throws IllegalArgumentException unless all are positive and a chunk fits one Java array
     */
    public static ChunkGrid of(int[] shape, int[] chunk) {
        if (shape.length == 0 || shape.length != chunk.length) {
            throw new IllegalArgumentException(
                    "shape has " + shape.length + " axes, chunk has " + chunk.length + ", must agree");
        }
        int size = 1;
        for (int a = 0; a < shape.length; a++) {
            if (shape[a] < 1 || chunk[a] < 1) {
                throw new IllegalArgumentException("shape " + Arrays.toString(shape) + " and chunk "
                        + Arrays.toString(chunk) + " must be positive");
            }
            size = Math.multiplyExact(size, chunk[a]);
        }
        Math.multiplyExact(size, Double.BYTES);
        return new ChunkGrid(shape.clone(), chunk.clone());
    }

    /**
     * The grid in which each given box is exactly one chunk, if there is one: then several writers can share an array.
     *
     * @param shape extents of the array
     * @param lo first index of each box, on each axis
     * @param hi one past the last index of each box, on each axis
     */
    public static Optional<ChunkGrid> fitting(int[] shape, List<int[]> lo, List<int[]> hi) {
        int[] chunk = new int[shape.length];
        for (int b = 0; b < lo.size(); b++) {
            for (int a = 0; a < shape.length; a++) {
                chunk[a] = Math.max(chunk[a], hi.get(b)[a] - lo.get(b)[a]);
            }
        }
        ChunkGrid grid = of(shape, chunk);
        for (int b = 0; b < lo.size(); b++) {
            for (int a = 0; a < shape.length; a++) {
                int first = lo.get(b)[a];
                if (first % chunk[a] != 0 || hi.get(b)[a] != Math.min(shape[a], first + chunk[a])) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(grid);
    }

    /** Chunks of at most {@code maxElements}, as long as possible on the fast axes. */
    public static ChunkGrid bounded(int[] shape, int maxElements) {
        int[] chunk = new int[shape.length];
        int room = maxElements;
        for (int a = shape.length - 1; a >= 0; a--) {
            chunk[a] = Math.clamp(room, 1, shape[a]);
            room /= chunk[a];
        }
        return of(shape, chunk);
    }

    public int axes() {
        return shape.length;
    }

    /** Extents of the array. */
    public int[] shape() {
        return shape.clone();
    }

    /** Extents of a chunk. */
    public int[] chunk() {
        return chunk.clone();
    }

    /** Number of chunks on {@code axis}. */
    public int count(int axis) {
        return Math.ceilDiv(shape[axis], chunk[axis]);
    }

    /** Number of chunks. */
    public long chunks() {
        long chunks = 1;
        for (int a = 0; a < shape.length; a++) {
            chunks = Math.multiplyExact(chunks, count(a));
        }
        return chunks;
    }

    /** Number of elements of the array. */
    public long size() {
        long size = 1;
        for (int e : shape) {
            size = Math.multiplyExact(size, e);
        }
        return size;
    }

    /** Elements of a chunk, padding included. */
    public int chunkSize() {
        int size = 1;
        for (int e : chunk) {
            size *= e;
        }
        return size;
    }

    /** Coordinates of the chunk with this row-major number. */
    public int[] coordinates(long number) {
        int[] coordinates = new int[shape.length];
        long rest = number;
        for (int a = shape.length - 1; a >= 0; a--) {
            coordinates[a] = (int) (rest % count(a));
            rest /= count(a);
        }
        return coordinates;
    }

    /** First index of a chunk on each axis. */
    public int[] lo(int[] coordinates) {
        check(coordinates);
        int[] lo = new int[shape.length];
        Arrays.setAll(lo, a -> coordinates[a] * chunk[a]);
        return lo;
    }

    /** One past the last index of a chunk within the array, on each axis. */
    public int[] hi(int[] coordinates) {
        int[] hi = lo(coordinates);
        Arrays.setAll(hi, a -> (int) Math.min(shape[a], (long) hi[a] + chunk[a]));
        return hi;
    }

    private void check(int[] coordinates) {
        if (coordinates.length != shape.length) {
            throw new IllegalArgumentException("chunk " + Arrays.toString(coordinates) + " of " + this);
        }
        for (int a = 0; a < shape.length; a++) {
            if (coordinates[a] < 0 || coordinates[a] >= count(a)) {
                throw new IllegalArgumentException("chunk " + Arrays.toString(coordinates) + " is outside " + this);
            }
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ChunkGrid other && Arrays.equals(shape, other.shape) && Arrays.equals(chunk, other.chunk);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(shape) + Arrays.hashCode(chunk);
    }

    @Override
    public String toString() {
        return Arrays.toString(shape) + " in chunks of " + Arrays.toString(chunk);
    }
}
