// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.ReplicaPiece;

/** Puts bytes together that arrive in pieces. */
final class PieceReceiver {
    /** Some JVMs keep a header within the longest array. */
    private static final long BYTES_MAX = Integer.MAX_VALUE - 8;

    private byte[] bytes = {};
    private int receivedBytes;

    /** @throws IllegalStateException if the piece does not fit what came before */
    void append(ReplicaPiece piece) {
        ByteString part = piece.getBytes();
        if (piece.getTotalBytes() != 0) {
            if (receivedBytes > 0 || piece.getTotalBytes() < 0 || piece.getTotalBytes() > BYTES_MAX) {
                throw new IllegalStateException("a piece announces " + piece.getTotalBytes() + " bytes after "
                        + receivedBytes + "; use matching versions");
            }
            bytes = new byte[(int) piece.getTotalBytes()];
        }
        if (part.size() > bytes.length - receivedBytes) {
            throw new IllegalStateException(
                    "a piece of %d bytes does not fit %d of %d".formatted(part.size(), receivedBytes, bytes.length));
        }
        part.copyTo(bytes, receivedBytes);
        receivedBytes += part.size();
    }

    /** @throws IllegalStateException if some are missing */
    byte[] whole() {
        if (bytes.length == 0 || receivedBytes < bytes.length) {
            throw new IllegalStateException("broke off after %d of %d bytes".formatted(receivedBytes, bytes.length));
        }
        return bytes;
    }
}
