// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaCodec;
import java.util.function.Function;
import org.infinispan.manager.EmbeddedCacheManager;

/** A request that runs at a holder, on the replicas that it keeps. */
final class HolderTask implements Function<EmbeddedCacheManager, byte[]> {
    private final byte[] request;
    private final HeldReplicas held;

    /**
     * @param request in its {@link ReplicaCodec}; not changed any more
     * @param held of the member that the task is at
     */
    HolderTask(byte[] request, HeldReplicas held) {
        this.request = request;
        this.held = held;
    }

    byte[] request() {
        return request;
    }

    @Override
    public byte[] apply(EmbeddedCacheManager manager) {
        return ReplicaCodec.answer(request, held);
    }
}
