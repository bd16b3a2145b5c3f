// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.zarr.ZarrArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a VTK file with raw appended data, piece by piece. The file appears under its name when it is complete. */
final class VtkFile {
    /** Values in memory at once, unless a chunk of the result has more. */
    private static final int SLAB = 1 << 22;

    /** What a file has. */
    @FunctionalInterface
    interface Content {
        void writeTo(VtkFile file) throws IOException;
    }

    private final FileChannel out;

    private VtkFile(FileChannel out) {
        this.out = out;
    }

    static void write(Path file, Content content) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try (FileChannel out = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            content.writeTo(new VtkFile(out));
            out.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void text(String text) throws IOException {
        bytes(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Begins an array of the appended data: its number of bytes. */
    void length(long bytes) throws IOException {
        bytes(buffer(Long.BYTES).putLong(0, bytes));
    }

    void doubles(double[] values) throws IOException {
        ByteBuffer bytes = buffer(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        bytes(bytes);
    }

    void longs(long[] values) throws IOException {
        ByteBuffer bytes = buffer(values.length * Long.BYTES);
        bytes.asLongBuffer().put(values);
        bytes(bytes);
    }

    void bytes(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** An array with the values of a box, slab by slab along an axis, so that they are in order and never all in memory. */
    void values(ZarrArray array, int[] lo, int[] hi, int axis) throws IOException {
        long layer = 1;
        for (int a = 0; a < lo.length; a++) {
            layer *= a == axis ? 1 : hi[a] - lo[a];
        }
        int layers = hi[axis] - lo[axis];
        length(layers * layer * Double.BYTES);
        int thickness = Math.clamp(SLAB / layer, 1, array.grid().chunk()[axis]);
        int[] from = lo.clone();
        int[] to = hi.clone();
        for (int first = 0; first < layers; first += thickness) {
            from[axis] = first;
            to[axis] = Math.min(layers, first + thickness);
            doubles(array.read(from, to));
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
