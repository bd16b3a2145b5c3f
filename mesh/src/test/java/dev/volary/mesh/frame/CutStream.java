// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import io.grpc.HasByteBuffer;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Shows its bytes as network buffers of a fixed size, as the transport does. */
final class CutStream extends InputStream implements HasByteBuffer {
    private final byte[] bytes;
    private final int cut;
    private int at;

    CutStream(byte[] bytes, int cut) {
        this.bytes = bytes;
        this.cut = cut;
    }

    @Override
    public boolean byteBufferSupported() {
        return true;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
        if (at == bytes.length) {
            return null;
        }
        int end = Math.min(bytes.length, (at / cut + 1) * cut);
        return ByteBuffer.wrap(bytes, at, end - at).slice().asReadOnlyBuffer();
    }

    @Override
    public int read() {
        return at == bytes.length ? -1 : bytes[at++] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (at == bytes.length) {
            return length == 0 ? 0 : -1;
        }
        int n = Math.min(length, bytes.length - at);
        System.arraycopy(bytes, at, target, offset, n);
        at += n;
        return n;
    }

    @Override
    public long skip(long n) {
        int skipped = (int) Math.min(n, bytes.length - at);
        at += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return bytes.length - at;
    }
}
