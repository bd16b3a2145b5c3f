package dev.volary.checkpoint.infinispan;

import dev.volary.checkpoint.replica.CopyKey;
import dev.volary.checkpoint.replica.HeldCopies;
import java.util.function.Function;
import org.infinispan.manager.EmbeddedCacheManager;

/** A request that runs at a holder, on its local cache. */
final class HolderCall implements Function<EmbeddedCacheManager, byte[]> {
    /** Name of the cache that holds the copies. */
    static final String CACHE = "checkpoints";

    private final byte[] request;

    /**
     * @param request in its {@link WireForm}; not changed any more
     */
    HolderCall(byte[] request) {
        this.request = request;
    }

    byte[] request() {
        return request;
    }

    @Override
    public byte[] apply(EmbeddedCacheManager manager) {
        return WireForm.answer(request, new HeldCopies(manager.<CopyKey, byte[]>getCache(CACHE)));
    }
}
