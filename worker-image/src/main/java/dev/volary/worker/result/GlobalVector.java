// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A vector in the order of its global indices, in a file that is mapped into memory and removed at the end: its pages are the
 * operating system's, not the heap's. For one thread.
 */
final class GlobalVector implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private static final ValueLayout.OfDouble VALUE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final Shape shape;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment values;

    private GlobalVector(Path file, FileChannel channel, Shape shape) throws IOException {
        this.file = file;
        this.shape = shape;
        this.values = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes(shape), arena);
    }

    /**
     * Creates a vector of zeros.
     *
     * @throws IOException if the disk has no space for it: a mapped file could not report that later
     */
    static GlobalVector create(Path file, Shape shape) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer zeros = ByteBuffer.allocate(BUFFER_BYTES);
            for (long left = bytes(shape); left > 0; ) {
                zeros.clear().limit((int) Math.min(BUFFER_BYTES, left));
                left -= channel.write(zeros);
            }
            return new GlobalVector(file, channel, shape);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static long bytes(Shape shape) {
        return Math.multiplyExact(shape.size(), (long) Double.BYTES);
    }

    /** Sets the values of a region, in its order, from little-endian doubles. */
    void scatter(Region region, FileChannel from) throws IOException {
        ByteBuffer buffer =
                ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
        try {
            region.forEach(shape, index -> values.setAtIndex(VALUE, index, next(buffer, from)));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static double next(ByteBuffer buffer, FileChannel from) {
        try {
            if (!buffer.hasRemaining()) {
                buffer.clear();
                while (buffer.position() % Double.BYTES != 0 || buffer.position() == 0) {
                    if (from.read(buffer) < 0) {
                        throw new EOFException("the part became shorter while it was read");
                    }
                }
                buffer.flip();
            }
            return buffer.getDouble();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a box, row major.
     *
     * @param lo first index on each axis
     * @param hi one past the last index on each axis
     */
    double[] read(int[] lo, int[] hi) {
        int size = 1;
        for (int a = 0; a < lo.length; a++) {
            size = Math.multiplyExact(size, hi[a] - lo[a]);
        }
        double[] box = new double[size];
        int ignored = read(lo, hi, 0, 0, box, 0);
        return box;
    }

    private int read(int[] lo, int[] hi, int axis, long base, double[] box, int from) {
        int next = from;
        long row = base * shape.extent(axis);
        if (axis == lo.length - 1) {
            int length = hi[axis] - lo[axis];
            MemorySegment.copy(values, VALUE, (row + lo[axis]) * Double.BYTES, box, next, length);
            return next + length;
        }
        for (int i = lo[axis]; i < hi[axis]; i++) {
            next = read(lo, hi, axis + 1, row + i, box, next);
        }
        return next;
    }

    @Override
    public void close() throws IOException {
        arena.close();
        Files.deleteIfExists(file);
    }
}
