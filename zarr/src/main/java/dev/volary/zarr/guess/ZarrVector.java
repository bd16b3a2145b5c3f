// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Box;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;

/** A field of a result. */
final class ZarrVector implements StoredVector {
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

    @Override
    public double[] read(Region region, Shape shape) throws IOException {
        if (region instanceof Box box) {
            int[] lo = new int[box.axes()];
            int[] hi = new int[box.axes()];
            Arrays.setAll(lo, box::lo);
            Arrays.setAll(hi, box::hi);
            return array.read(lo, hi);
        }
        return gather(region.indices(shape), shape);
    }

    /** Reads each chunk once, however the indices are ordered. */
    private double[] gather(long[] indices, Shape shape) throws IOException {
        ChunkGrid grid = array.grid();
        long[] chunks = new long[indices.length];
        int[] places = new int[indices.length];
        for (int i = 0; i < indices.length; i++) {
            locate(indices[i], shape, grid, i, chunks, places);
        }
        double[] values = new double[indices.length];
        long[] used = Arrays.stream(chunks).sorted().distinct().toArray();
        for (long chunk : used) {
            double[] stored = array.readChunk(grid.coordinates(chunk));
            for (int i = 0; i < indices.length; i++) {
                if (chunks[i] == chunk) {
                    values[i] = stored[places[i]];
                }
            }
        }
        return values;
    }

    /** Finds the chunk of an index and the place in the part of it that lies within the array. */
    private static void locate(long index, Shape shape, ChunkGrid grid, int i, long[] chunks, int[] places) {
        long rest = index;
        long chunk = 0;
        int place = 0;
        long chunkStride = 1;
        int placeStride = 1;
        for (int a = shape.axes() - 1; a >= 0; a--) {
            int at = (int) (rest % shape.extent(a));
            rest /= shape.extent(a);
            int extent = grid.chunk()[a];
            int first = at - at % extent;
            chunk += at / extent * chunkStride;
            chunkStride *= grid.count(a);
            place += (at - first) * placeStride;
            placeStride *= Math.min(extent, shape.extent(a) - first);
        }
        chunks[i] = chunk;
        places[i] = place;
    }
}
