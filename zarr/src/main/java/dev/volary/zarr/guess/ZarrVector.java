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
import java.util.stream.IntStream;

/** A field of a result, of several time steps the last. Its chunks are mapped into memory to be read, so that none of them is on the heap. */
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
        ZarrArray stored = group.array(field);
        array = stored.hasTimeSteps() ? stored.at(stored.grid().shape()[0] - 1) : stored;
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
            Places places = new Places(grid, coordinates, shape);
            if (places.meet(region, shape)) {
                readChunk(coordinates, places, region, shape, values);
            }
        }
        return values;
    }

    private void readChunk(int[] coordinates, Places places, Region region, Shape shape, double[] values)
            throws IOException {
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

        /** Whether any of them belongs to a region. */
        boolean meet(Region region, Shape within) {
            if (region instanceof Box box) {
                return IntStream.range(0, lo.length).allMatch(a -> box.lo(a) < hi[a] && lo[a] < box.hi(a));
            }
            boolean[] found = {false};
            region.forEach(within, index -> found[0] |= of(index) >= 0);
            return found[0];
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
