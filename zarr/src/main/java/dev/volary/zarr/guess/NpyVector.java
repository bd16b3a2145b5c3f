// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solver.npy.NpyHeader;
import dev.volary.solver.npy.NpyType;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An array of NumPy, row major; it is mapped into memory to be read, so that none of it is on the heap. */
final class NpyVector implements StoredVector {
    private final Path file;
    private final NpyHeader header;

    /** @throws IOException if it is not an array of real numbers in the order that values have here */
    NpyVector(Path file, NpyHeader header, int axes) throws IOException {
        if (header.type().kind() != NpyType.Kind.REAL) {
            throw new IOException(
                    file + " has elements of type " + header.type().name() + "; write A.astype(\"float64\")");
        }
        if (header.isFortranOrder() && axes > 1) {
            throw new IOException(file + " is in Fortran order; write numpy.ascontiguousarray(A)");
        }
        this.file = file;
        this.header = header;
    }

    @Override
    public String shapeText() {
        return header.shapeText();
    }

    @Override
    public double[] read(Region region, Shape shape) throws IOException {
        long bytes = header.size() * header.type().bytes();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            if (channel.size() < header.bytes() + bytes) {
                throw new EOFException(file + " ends before its last element; it was cut off: get it again");
            }
            MemorySegment stored = channel.map(FileChannel.MapMode.READ_ONLY, header.bytes(), bytes, arena);
            double[] values = new double[region.size()];
            int[] next = {0};
            if (header.type().bytes() == Float.BYTES) {
                ValueLayout.OfFloat layout =
                        ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(header.type().order());
                region.forEach(shape, index -> values[next[0]++] = stored.getAtIndex(layout, index));
            } else {
                ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(
                        header.type().order());
                region.forEach(shape, index -> values[next[0]++] = stored.getAtIndex(layout, index));
            }
            return values;
        }
    }
}
