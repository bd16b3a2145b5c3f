// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Lays frames out in one byte array that is used again and again. Confined to one thread. */
public final class FrameWriter {
    private static final byte[] NOTHING = {};
    private static final int CHUNK = 2048;

    private final CRC32C checksum = new CRC32C();
    private byte[] bytes = NOTHING;
    private ByteBuffer view = ByteBuffer.wrap(bytes);
    private int length;

    /**
     * Lays out a frame; the header's CRC is computed here, whatever {@code header} says.
     *
     * @param hash content hash, used by recorded frames only
     * @param values at least {@code header.count()} of them
     */
    public void layOut(FrameHeader header, long hash, double[] values) {
        length = Math.toIntExact(header.frameBytes());
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, 4096)];
            view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        int start = length - Double.BYTES * header.count();
        checksum.reset();
        for (int at = 0; at < header.count(); at += CHUNK) { // so that the checksum finds its bytes in the cache
            int n = Math.min(CHUNK, header.count() - at);
            int offset = start + Double.BYTES * at;
            view.clear().position(offset);
            view.asDoubleBuffer().put(values, at, n);
            checksum.update(bytes, offset, Double.BYTES * n);
        }
        if (header.kind() == FrameKind.RECORDED) {
            view.putLong(FrameHeader.BYTES, hash);
        }
        withCrc(header, (int) checksum.getValue()).write(bytes, 0);
    }

    /** The frame stands at the start of this array. */
    public byte[] bytes() {
        return bytes;
    }

    /** Length of the frame. */
    public int length() {
        return length;
    }

    private static FrameHeader withCrc(FrameHeader h, int crc) {
        return new FrameHeader(
                h.kind(),
                h.from(),
                h.to(),
                h.incarnation(),
                h.step(),
                h.iteration(),
                h.coarseVersion(),
                h.count(),
                crc,
                h.problem());
    }
}
