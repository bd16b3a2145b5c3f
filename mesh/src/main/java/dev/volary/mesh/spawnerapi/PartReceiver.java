// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The values of a part that arrives in pieces, for a daemon that computes with them. */
final class PartReceiver {
    private final double[] values;
    private final CRC32C checksum = new CRC32C();
    private int next;

    /** A part of this many values. */
    PartReceiver(int count) {
        values = new double[count];
    }

    /** @throws IllegalStateException if the piece does not fit what came before */
    void append(ByteString piece) {
        int count = piece.size() / Double.BYTES;
        if (piece.size() % Double.BYTES != 0 || next + count > values.length) {
            throw new IllegalStateException("a piece of %d bytes does not fit a part of %d values, %d of them read"
                    .formatted(piece.size(), values.length, next));
        }
        piece.asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(values, next, count);
        checksum.update(piece.asReadOnlyByteBuffer());
        next += count;
    }

    /** @throws IllegalStateException if some are missing, or their bytes have another CRC-32C */
    double[] values(int wanted) {
        if (next < values.length) {
            throw new IllegalStateException("the part broke off after %d of %d values".formatted(next, values.length));
        }
        if ((int) checksum.getValue() != wanted) {
            throw new IllegalStateException(
                    "the part has checksum %08x, must have %08x".formatted((int) checksum.getValue(), wanted));
        }
        return values;
    }

    /** A piece of values as it is sent. */
    static ByteString piece(double[] values, int from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values, from, count);
        return ByteString.copyFrom(bytes);
    }
}
