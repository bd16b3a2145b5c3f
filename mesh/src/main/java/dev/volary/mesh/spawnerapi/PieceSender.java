// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import io.grpc.stub.CallStreamObserver;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Sends bytes in pieces, as fast as the other side takes them. Safe for use by several threads. */
final class PieceSender {
    static final int PIECE_BYTES = 64 << 10;

    private final CallStreamObserver<InputStream> to;
    private final Deque<ByteBuffer> parts = new ArrayDeque<>();
    private long totalBytes;
    private boolean isFirst = true;

    /** Its {@link #proceed} is to be called whenever {@code to} is ready. */
    PieceSender(CallStreamObserver<InputStream> to) {
        this.to = to;
    }

    /** Sends these bytes, one part after the other, then completes the stream. They do not change any more. */
    synchronized void send(ByteBuffer... all) {
        for (ByteBuffer part : all) {
            totalBytes += part.remaining();
            parts.add(part.duplicate());
        }
        proceed();
    }

    synchronized void proceed() {
        while (!parts.isEmpty() && to.isReady()) {
            ByteBuffer part = parts.element();
            int count = Math.min(PIECE_BYTES, part.remaining());
            InputStream piece = PieceMessage.of(isFirst ? totalBytes : 0, part.slice(part.position(), count));
            isFirst = false;
            part.position(part.position() + count);
            if (!part.hasRemaining()) {
                parts.remove();
            }
            to.onNext(piece);
            if (parts.isEmpty()) {
                to.onCompleted();
            }
        }
    }
}
