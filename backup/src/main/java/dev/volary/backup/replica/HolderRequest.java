// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BlockVersion;
import java.nio.ByteBuffer;

/** What is asked of a holder. */
public sealed interface HolderRequest {

    /**
     * Keep a copy, unless a newer one is there.
     *
     * @param header of the value
     * @param value not changed
     */
    record Store(ReplicaHeader header, ByteBuffer value) implements HolderRequest {

        /** Header and value in one array. */
        public byte[] frame() {
            ByteBuffer frame = ByteBuffer.allocate(ReplicaHeader.BYTES + value.remaining());
            for (ByteBuffer part : parts()) {
                frame.put(part);
            }
            return frame.array();
        }

        /** Header and value, the value not copied. */
        ByteBuffer[] parts() {
            ByteBuffer written = ByteBuffer.allocate(ReplicaHeader.BYTES);
            header.write(written);
            return new ByteBuffer[] {written.flip(), value.duplicate()};
        }
    }

    /** Which version of a copy is there? */
    record Look(ReplicaKey key) implements HolderRequest {}

    /** Send a copy. */
    record Fetch(ReplicaKey key) implements HolderRequest {}

    /**
     * Drop a copy that is no longer in a slot.
     *
     * @param below it stays if it is newer
     */
    record Drop(ReplicaKey key, BlockVersion below) implements HolderRequest {}
}
