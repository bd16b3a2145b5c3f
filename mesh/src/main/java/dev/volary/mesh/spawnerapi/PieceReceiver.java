// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.ReplicaPiece;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Puts bytes together that arrive in pieces. */
final class PieceReceiver {
    /** Some JVMs keep a header within the longest array. */
    private static final long BYTES_MAX = Integer.MAX_VALUE - 8;

    private byte[] bytes = {};
    private int receivedBytes;

    /**
     * Reads a piece to where it belongs; gRPC closes it.
     *
     * @param piece a {@link ReplicaPiece} as it came over the wire
     * @throws IllegalStateException if the piece is malformed, or does not fit what came before
     */
    void append(InputStream piece) {
        try {
            for (int tag = piece.read(); tag >= 0; tag = piece.read()) {
                switch (tag) {
                    case PieceMessage.TOTAL_TAG -> announced(number(piece));
                    case PieceMessage.BYTES_TAG -> read(number(piece), piece);
                    default ->
                        throw new IllegalStateException(
                                "a piece has an unknown field, tag " + tag + "; use matching versions");
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("a piece cannot be read: " + e, e);
        }
    }

    private void announced(long totalBytes) {
        if (receivedBytes > 0 || totalBytes < 0 || totalBytes > BYTES_MAX) {
            throw new IllegalStateException(
                    "a piece announces " + totalBytes + " bytes after " + receivedBytes + "; use matching versions");
        }
        bytes = new byte[(int) totalBytes];
    }

    private void read(long length, InputStream piece) throws IOException {
        if (length < 0 || length > bytes.length - receivedBytes) {
            throw new IllegalStateException(
                    "a piece of %d bytes does not fit %d of %d".formatted(length, receivedBytes, bytes.length));
        }
        int count = piece.readNBytes(bytes, receivedBytes, (int) length);
        if (count < length) {
            throw new EOFException("%d of %d bytes".formatted(count, length));
        }
        receivedBytes += count;
    }

    /** A varint of protobuf. */
    private static long number(InputStream piece) throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = piece.read();
            if (next < 0) {
                throw new EOFException("it ends within a number");
            }
            number |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw new IOException("a number is too long");
    }

    /** @throws IllegalStateException if some are missing */
    byte[] whole() {
        if (bytes.length == 0 || receivedBytes < bytes.length) {
            throw new IllegalStateException("broke off after %d of %d bytes".formatted(receivedBytes, bytes.length));
        }
        return bytes;
    }
}
