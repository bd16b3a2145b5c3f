// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.util.function.Consumer;

/**
 * Passes on what is newer than anything before. Of two threads the one that learned of the older state may be the later one;
 * that state would stay.
 */
final class Latest<T> {
    private final Consumer<T> listener;
    private long newest = Long.MIN_VALUE;

    /**
     * @param listener called by any thread, one at a time; must not wait for another thread that offers a state
     */
    Latest(Consumer<T> listener) {
        this.listener = listener;
    }

    /**
     * Passes a state on, unless it is known already or outdated.
     *
     * @param number of the state, the higher the newer
     */
    synchronized void offer(long number, T state) {
        if (number > newest) {
            newest = number;
            listener.accept(state);
        }
    }
}
