// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A message that is bytes already: gRPC drains the array into network buffers in one copy. The array may be used again as soon
 * as the message was handed to the transport, which copies at once.
 */
public final class ByteArrayMessage extends ByteArrayInputStream implements Drainable, KnownLength {

    /** Messages are streams, left as they are. */
    public static final MethodDescriptor.Marshaller<InputStream> MARSHALLER = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(InputStream value) {
            return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
            return stream;
        }
    };

    /** The first {@code length} bytes of {@code bytes}. */
    public ByteArrayMessage(byte[] bytes, int length) {
        super(bytes, 0, length);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        int n = count - pos;
        target.write(buf, pos, n);
        pos = count;
        return n;
    }
}
