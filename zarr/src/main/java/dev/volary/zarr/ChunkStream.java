// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/** Writes one chunk through a buffer of 1 MiB: the values, the padding where the chunk reaches beyond the array, the checksum. */
final class ChunkStream {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel out;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C checksum = new CRC32C();

    ChunkStream(FileChannel out) {
        this.out = out;
    }

    /**
     * Writes all of the chunk.
     *
     * @param values row major, little endian
     * @param extent of the values
     * @param chunk extent of the chunk, at least that of the values
     */
    void write(ReadableByteChannel values, int[] extent, int[] chunk) throws IOException {
        write(values, extent, chunk, 0, true);
        drain();
        buffer.putInt((int) checksum.getValue());
        drain();
    }

    private void write(ReadableByteChannel values, int[] extent, int[] chunk, int axis, boolean isInside)
            throws IOException {
        if (axis == chunk.length - 1) {
            int inside = isInside ? extent[axis] : 0;
            copy(values, (long) inside * Double.BYTES);
            fill(chunk[axis] - inside);
            return;
        }
        for (int i = 0; i < chunk[axis]; i++) {
            write(values, extent, chunk, axis + 1, isInside && i < extent[axis]);
        }
    }

    private void copy(ReadableByteChannel values, long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            drainIfFull();
            buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + left));
            int read = values.read(buffer);
            buffer.limit(buffer.capacity());
            if (read < 0) {
                throw new EOFException("the values end " + left + " bytes before the end of a row");
            }
            left -= read;
        }
    }

    private void fill(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (buffer.remaining() < Double.BYTES) {
                drain();
            }
            buffer.putDouble(Double.NaN);
        }
    }

    private void drainIfFull() throws IOException {
        if (!buffer.hasRemaining()) {
            drain();
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }
}
