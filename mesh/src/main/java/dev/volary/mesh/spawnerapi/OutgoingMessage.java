// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A message to be sent: gRPC lets it write itself into network buffers. */
final class OutgoingMessage extends InputStream implements Drainable, KnownLength {
    /** Writes the message. */
    interface Content {
        void writeTo(OutputStream target) throws IOException;
    }

    private final int size;
    private final Content content;
    private @Nullable InputStream rest; // of what has been read or drained in part

    /** @param size in bytes */
    OutgoingMessage(int size, Content content) {
        this.size = size;
        this.content = content;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        if (rest != null) {
            return (int) rest.transferTo(target);
        }
        rest = InputStream.nullInputStream();
        content.writeTo(target);
        return size;
    }

    @Override
    public int available() throws IOException {
        return rest == null ? size : rest.available();
    }

    @Override
    public int read() throws IOException {
        return rest().read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return rest().read(target, offset, length);
    }

    private InputStream rest() throws IOException {
        if (rest == null) {
            ByteArrayOutputStream written = new ByteArrayOutputStream(size);
            content.writeTo(written);
            rest = new ByteArrayInputStream(written.toByteArray());
        }
        return rest;
    }
}
