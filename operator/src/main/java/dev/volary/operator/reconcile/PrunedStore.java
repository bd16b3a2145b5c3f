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

/** Stores watched objects without the fields that the operator does not read, to hold thousands of pods. */
final class PrunedStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final Consumer<T> prune;
    private final Consumer<T> onDelete;

    /**
     * @param prune removes unused fields from an object
     * @param onDelete receives each deleted object
     */
    PrunedStore(Consumer<T> prune, Consumer<T> onDelete) {
        this.prune = prune;
        this.onDelete = onDelete;
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
            onDelete.accept(before); // deleted and created again between two events of the watch
        }
        return before;
    }

    @Override
    public @Nullable T remove(String key) {
        T removed = items.remove(key);
        if (removed != null) {
            onDelete.accept(removed);
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
