package dev.volary.mesh;

import dev.volary.mesh.frame.FrameKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Says that the oldest unacknowledged frame of a link was read: 16 bytes, magic "VLAK", from, to, kind. */
final class Acknowledgement {
    static final int BYTES = 16;
    private static final int MAGIC = 'V' | ('L' << 8) | ('A' << 16) | ('K' << 24);

    private Acknowledgement() {}

    static byte[] write(Edge edge, FrameKind kind) {
        byte[] bytes = new byte[BYTES];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(edge.from())
                .putInt(edge.to())
                .putInt(kind.code());
        return bytes;
    }

    static boolean is(ByteBuffer bytes) {
        return bytes.getInt(0) == MAGIC;
    }

    static Edge edge(ByteBuffer bytes) {
        return new Edge(bytes.getInt(4), bytes.getInt(8));
    }

    static FrameKind kind(ByteBuffer bytes) {
        return bytes.getInt(12) == FrameKind.RECORDED.code() ? FrameKind.RECORDED : FrameKind.HALO;
    }
}
