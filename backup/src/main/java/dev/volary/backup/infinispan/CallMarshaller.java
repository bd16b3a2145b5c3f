// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import java.util.Arrays;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.commons.marshall.AbstractMarshaller;

/** Calls are the only objects of ours on the wire, and they are bytes already. No class is ever named by what arrives. */
final class CallMarshaller extends AbstractMarshaller {
    private final HeldReplicas held;

    /** @param held of this member, for the calls that arrive */
    CallMarshaller(HeldReplicas held) {
        this.held = held;
    }

    @Override
    protected ByteBuffer objectToBuffer(Object call, int estimatedSize) {
        return ByteBufferImpl.create(((HolderTask) call).request());
    }

    @Override
    public Object objectFromByteBuffer(byte[] bytes, int offset, int length) {
        return new HolderTask(Arrays.copyOfRange(bytes, offset, offset + length), held);
    }

    @Override
    public boolean isMarshallable(Object object) {
        return object instanceof HolderTask;
    }

    @Override
    public MediaType mediaType() {
        return MediaType.APPLICATION_OCTET_STREAM;
    }
}
