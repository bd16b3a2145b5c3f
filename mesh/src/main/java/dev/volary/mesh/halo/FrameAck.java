// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.link.BlockPair;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Says that the oldest unacknowledged frames of a link were read: 16 bytes, magic "VLAK", from, to, how many. */
final class FrameAck {
    static final int BYTES = 16;
    private static final int MAGIC = 'V' | ('L' << 8) | ('A' << 16) | ('K' << 24);
    /** Unacknowledged bytes that a link may have on the way, as long as that allows for two frames. */
    private static final int WINDOW_BYTES = 128 << 10;

    private static final int MIN_WINDOW = 2;
    static final int MAX_WINDOW = 16;

    private FrameAck() {}

    /** How many frames of this length may be unacknowledged on a link. */
    static int window(long frameBytes) {
        return Math.clamp(WINDOW_BYTES / Math.max(frameBytes, FrameHeader.BYTES), MIN_WINDOW, MAX_WINDOW);
    }

    /** How many frames of this length are acknowledged at once: small ones cost less than their acknowledgement. */
    static int batch(long frameBytes) {
        return Math.max(1, window(frameBytes) / 2);
    }

    static byte[] write(BlockPair edge, int frames) {
        byte[] bytes = new byte[BYTES];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(edge.from())
                .putInt(edge.to())
                .putInt(frames);
        return bytes;
    }

    static boolean is(ByteBuffer bytes) {
        return bytes.getInt(0) == MAGIC;
    }

    static BlockPair edge(ByteBuffer bytes) {
        return new BlockPair(bytes.getInt(4), bytes.getInt(8));
    }

    static int frames(ByteBuffer bytes) {
        return bytes.getInt(12);
    }
}
