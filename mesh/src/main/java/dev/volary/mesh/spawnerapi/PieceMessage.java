// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.volary.mesh.v1.ReplicaPiece;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A {@link ReplicaPiece} as it is on the wire. Its bytes are not copied into an object first. */
final class PieceMessage {
    static final int TOTAL_TAG = ReplicaPiece.TOTAL_BYTES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT;
    static final int BYTES_TAG = ReplicaPiece.BYTES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int MAX_HEADER_BYTES = 20;

    private PieceMessage() {}

    /**
     * A piece to be sent.
     *
     * @param totalBytes of all pieces; 0 if this is not the first one
     * @param bytes not changed any more
     */
    static InputStream of(long totalBytes, ByteBuffer bytes) {
        ByteBuffer header = header(totalBytes, bytes.remaining());
        return new OutgoingMessage(header.remaining() + bytes.remaining(), target -> {
            write(header, target);
            write(bytes, target);
        });
    }

    private static ByteBuffer header(long totalBytes, int length) {
        byte[] header = new byte[MAX_HEADER_BYTES];
        CodedOutputStream out = CodedOutputStream.newInstance(header);
        try {
            if (totalBytes != 0) {
                out.writeInt64(ReplicaPiece.TOTAL_BYTES_FIELD_NUMBER, totalBytes);
            }
            out.writeUInt32NoTag(BYTES_TAG);
            out.writeUInt32NoTag(length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(header, 0, out.getTotalBytesWritten());
    }

    private static void write(ByteBuffer from, OutputStream target) throws IOException {
        if (from.hasArray()) {
            target.write(from.array(), from.arrayOffset() + from.position(), from.remaining());
        } else {
            byte[] copy = new byte[from.remaining()];
            from.get(from.position(), copy);
            target.write(copy);
        }
    }
}
