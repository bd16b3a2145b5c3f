// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Box;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;

/** A field of a result. Its chunks are mapped into memory to be read, so that none of them is on the heap. */
final class ZarrVector implements StoredVector {
    private static final ValueLayout.OfDouble VALUE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ZarrArray array;

    ZarrVector(ZarrGroup group, String field) throws IOException {
        if (!group.arrays().contains(field)) {
            throw new NoSuchFileException(
                    group.folder() + " has no array " + field + ", which is the unknown of this problem; it has "
                            + group.fields() + "; name a result of the same problem");
        }
        array = group.array(field);
    }

    @Override
    public String shapeText() {
        return Shape.of(array.grid().shape()).toString();
    }

    /** Reads each chunk once, however the indices of the region are ordered. */
    @Override
    public double[] read(Region region, Shape shape) throws IOException {
        ChunkGrid grid = array.grid();
        double[] values = new double[region.size()];
        for (long number = 0; number < grid.chunks(); number++) {
            int[] coordinates = grid.coordinates(number);
            if (mayMeet(region, grid, coordinates)) {
                readChunk(coordinates, region, shape, values);
            }
        }
        return values;
    }

    private static boolean mayMeet(Region region, ChunkGrid grid, int[] coordinates) {
        if (region instanceof Box box) {
            int[] lo = grid.lo(coordinates);
            int[] hi = grid.hi(coordinates);
            for (int a = 0; a < lo.length; a++) {
                if (box.lo(a) >= hi[a] || lo[a] >= box.hi(a)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void readChunk(int[] coordinates, Region region, Shape shape, double[] values) throws IOException {
        Places places = new Places(array.grid(), coordinates, shape);
        int[] used = {0};
        region.forEach(shape, index -> used[0] += places.of(index) < 0 ? 0 : 1);
        if (used[0] == 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = array.mapChunk(coordinates, arena);
            int[] next = {0};
            region.forEach(shape, index -> {
                long place = places.of(index);
                if (place >= 0) {
                    values[next[0]] = chunk.getAtIndex(VALUE, place);
                }
                next[0]++;
            });
        }
    }

    /** Where the values of one chunk stand in it. */
    private static final class Places {
        private final int[] shape;
        private final int[] chunk;
        private final int[] lo;
        private final int[] hi;

        Places(ChunkGrid grid, int[] coordinates, Shape shape) {
            this.shape = shape.extents();
            this.chunk = grid.chunk();
            this.lo = grid.lo(coordinates);
            this.hi = grid.hi(coordinates);
        }

        /** The place of a global index; negative if it is in another chunk. */
        long of(long index) {
            long rest = index;
            long place = 0;
            long stride = 1;
            for (int a = shape.length - 1; a >= 0; a--) {
                long at = rest % shape[a];
                rest /= shape[a];
                if (at < lo[a] || at >= hi[a]) {
                    return -1;
                }
                place += (at - lo[a]) * stride;
                stride *= chunk[a];
            }
            return place;
        }
    }
}
