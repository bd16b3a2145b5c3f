// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.DeliverRequest;
import dev.volary.mesh.v1.DeliveredPart;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** A part that arrives in pieces: its values, and where it is delivered, its name before them. */
final class PartReceiver {
    private DeliveredPart part = DeliveredPart.getDefaultInstance();
    private double[] values = new double[0];
    private final CRC32C checksum = new CRC32C();
    private int next;

    /** A part whose name and size come first. */
    PartReceiver() {}

    /** A part of this many values. */
    PartReceiver(int count) {
        values = new double[count];
    }

    /** @throws IllegalStateException if the request does not fit what came before */
    void take(DeliverRequest request) {
        switch (request.getWhatCase()) {
            case PART -> {
                part = request.getPart();
                if (part.getCount() < 0) {
                    throw new IllegalStateException("the part has " + Integer.toUnsignedString(part.getCount())
                            + " values, more than a block can have");
                }
                values = new double[part.getCount()];
                next = 0;
                checksum.reset();
            }
            case PIECE -> append(request.getPiece());
            case WHAT_NOT_SET -> throw new IllegalStateException("a message without contents; use matching versions");
        }
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

    DeliveredPart part() {
        return part;
    }

    /** @throws IllegalStateException if some are missing */
    double[] values() {
        if (next < values.length) {
            throw new IllegalStateException("the part broke off after %d of %d values".formatted(next, values.length));
        }
        return values;
    }

    /** @throws IllegalStateException if some are missing, or their bytes have another CRC-32C */
    double[] values(int wanted) {
        double[] whole = values();
        if ((int) checksum.getValue() != wanted) {
            throw new IllegalStateException(
                    "the part has checksum %08x, must have %08x".formatted((int) checksum.getValue(), wanted));
        }
        return whole;
    }

    /** A piece of values as it is sent. */
    static ByteString piece(double[] values, int from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values, from, count);
        return ByteString.copyFrom(bytes);
    }
}
