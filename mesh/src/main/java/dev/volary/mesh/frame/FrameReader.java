// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import io.grpc.HasByteBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads frames from a stream, values straight into their destination: where the stream shows its network buffers
 * ({@link HasByteBuffer}) they are copied once. Confined to one thread.
 */
public final class FrameReader {
    private static final int CHUNK = 8192;

    private final byte[] head = new byte[FrameHeader.BYTES];
    private final byte[] chunk = new byte[CHUNK];
    private final ByteBuffer chunkView = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C checksum = new CRC32C();

    /**
     * Reads and checks a header.
     *
     * @throws CorruptFrameException if it is none, or if the rest of the stream has not the length it states
     */
    public FrameHeader header(InputStream in) throws IOException, CorruptFrameException {
        readFully(in, head, 0, FrameHeader.BYTES, "header");
        FrameHeader header = FrameHeader.read(head, 0);
        long rest = in.available();
        long stated = header.frameBytes() - FrameHeader.BYTES;
        FrameHeader.require(rest == stated, "count", header.count(), "what fits the " + rest + " bytes that follow");
        return header;
    }

    /** Reads the content hash of a recorded frame. */
    public long hash(InputStream in) throws IOException, CorruptFrameException {
        readFully(in, chunk, 0, Long.BYTES, "hash");
        return chunkView.getLong(0);
    }

    /**
     * Reads the values.
     *
     * @param target gets {@code header.count()} values at its start; its content is undefined if this fails
     * @throws CorruptFrameException if the values do not fit their checksum
     */
    public void values(InputStream in, FrameHeader header, double[] target) throws IOException, CorruptFrameException {
        checksum.reset();
        if (in instanceof HasByteBuffer buffers && buffers.byteBufferSupported()) {
            fromBuffers(in, buffers, header.count(), target);
        } else {
            fromBytes(in, header.count(), target);
        }
        int crc = (int) checksum.getValue();
        FrameHeader.require(
                crc == header.crc(),
                "CRC-32C of the values from block " + header.from() + " for block " + header.to(),
                Integer.toHexString(crc),
                Integer.toHexString(header.crc()) + " as the header says");
    }

    private void fromBytes(InputStream in, int count, double[] target) throws IOException, CorruptFrameException {
        for (int at = 0; at < count; ) {
            int n = Math.min(count - at, CHUNK / Double.BYTES);
            readFully(in, chunk, 0, n * Double.BYTES, "values");
            checksum.update(chunk, 0, n * Double.BYTES);
            chunkView.clear().asDoubleBuffer().get(target, at, n);
            at += n;
        }
    }

    /** A double may lie across two network buffers; its bytes are then put together in {@link #chunk}. */
    private void fromBuffers(InputStream in, HasByteBuffer buffers, int count, double[] target)
            throws IOException, CorruptFrameException {
        int at = 0;
        while (at < count) {
            ByteBuffer buffer = buffers.getByteBuffer();
            if (buffer == null || !buffer.hasRemaining()) {
                throw truncated("values");
            }
            int n = Math.min(buffer.remaining() / Double.BYTES, count - at);
            if (n == 0) {
                readFully(in, chunk, 0, Double.BYTES, "values");
                checksum.update(chunk, 0, Double.BYTES);
                target[at++] = chunkView.getDouble(0);
                continue;
            }
            ByteBuffer whole = buffer.slice(buffer.position(), n * Double.BYTES);
            checksum.update(whole);
            whole.rewind();
            whole.order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(target, at, n);
            at += n;
            in.skipNBytes((long) n * Double.BYTES);
        }
    }

    private static void readFully(InputStream in, byte[] target, int offset, int length, String what)
            throws IOException, CorruptFrameException {
        try {
            if (in.readNBytes(target, offset, length) < length) {
                throw truncated(what);
            }
        } catch (EOFException e) {
            throw truncated(what);
        }
    }

    private static CorruptFrameException truncated(String what) {
        return new CorruptFrameException("frame dropped: it ends inside its " + what);
    }
}
