package dev.volary.checkpoint.infinispan;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells what is, whenever somebody says that it has changed. Reading and telling are one step: of two threads, the one that
 * read first might else tell last, and what is outdated would stay.
 */
final class Latest<T> {
    private final Supplier<T> now;
    private final Consumer<T> listener;

    /**
     * @param now read by any thread, one at a time
     * @param listener told by any thread, one at a time; must not wait for another that says that something has changed
     */
    Latest(Supplier<T> now, Consumer<T> listener) {
        this.now = now;
        this.listener = listener;
    }

    synchronized void tell() {
        listener.accept(now.get());
    }
}
