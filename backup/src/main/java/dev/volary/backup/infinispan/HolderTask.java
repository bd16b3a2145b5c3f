// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaKey;
import java.util.function.Function;
import org.infinispan.manager.EmbeddedCacheManager;

/** A request that runs at a holder, on its local cache. */
final class HolderTask implements Function<EmbeddedCacheManager, byte[]> {
    /** Name of the cache that holds the copies. */
    static final String CACHE = "backups";

    private final byte[] request;

    /**
     * @param request in its {@link ReplicaCodec}; not changed any more
     */
    HolderTask(byte[] request) {
        this.request = request;
    }

    byte[] request() {
        return request;
    }

    @Override
    public byte[] apply(EmbeddedCacheManager manager) {
        return ReplicaCodec.answer(request, new HeldReplicas(manager.<ReplicaKey, byte[]>getCache(CACHE)));
    }
}
