// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.UnsafeByteOperations;
import dev.volary.mesh.v1.ReplicaPiece;
import io.grpc.stub.CallStreamObserver;
import org.jspecify.annotations.Nullable;

/** Sends bytes in pieces, as fast as the other side takes them. Safe for use by several threads. */
final class PieceSender {
    static final int PIECE_BYTES = 64 << 10;

    private final CallStreamObserver<ReplicaPiece> to;
    private byte @Nullable [] bytes;
    private int sentBytes;

    /** Its {@link #proceed} is to be called whenever {@code to} is ready. */
    PieceSender(CallStreamObserver<ReplicaPiece> to) {
        this.to = to;
    }

    /** Sends these bytes, which do not change any more, then completes the stream. */
    synchronized void send(byte[] all) {
        bytes = all;
        proceed();
    }

    synchronized void proceed() {
        while (bytes != null && to.isReady()) {
            int count = Math.min(PIECE_BYTES, bytes.length - sentBytes);
            ReplicaPiece.Builder piece =
                    ReplicaPiece.newBuilder().setBytes(UnsafeByteOperations.unsafeWrap(bytes, sentBytes, count));
            if (sentBytes == 0) {
                piece.setTotalBytes(bytes.length);
            }
            sentBytes += count;
            boolean isLast = sentBytes == bytes.length;
            bytes = isLast ? null : bytes;
            to.onNext(piece.build());
            if (isLast) {
                to.onCompleted();
            }
        }
    }
}
