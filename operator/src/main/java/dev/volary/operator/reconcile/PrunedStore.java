// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps of watched objects only what is read: thousands of pods have to fit. */
final class PrunedStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final Consumer<T> prune;
    private final Consumer<T> gone;

    /**
     * @param prune takes away from an object what is not read
     * @param gone is told of each object that is no more
     */
    PrunedStore(Consumer<T> prune, Consumer<T> gone) {
        this.prune = prune;
        this.gone = gone;
    }

    @Override
    public String getKey(T object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    public @Nullable T put(String key, T object) {
        object.getMetadata().setManagedFields(null);
        prune.accept(object);
        T before = items.put(key, object);
        if (before != null
                && !Objects.equals(
                        before.getMetadata().getUid(), object.getMetadata().getUid())) {
            gone.accept(before); // deleted and created again between two looks of the watch
        }
        return before;
    }

    @Override
    public @Nullable T remove(String key) {
        T removed = items.remove(key);
        if (removed != null) {
            gone.accept(removed);
        }
        return removed;
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }
}
