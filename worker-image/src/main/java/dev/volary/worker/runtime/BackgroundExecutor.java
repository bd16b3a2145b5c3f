// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Runs what may take long and must delay neither the machine nor computing, as storing parts and opening blocks. */
public final class BackgroundExecutor implements AutoCloseable {
    private final ExecutorService threads;
    private final Consumer<Throwable> onFailure;

    /**
     * With one thread, so that tasks run one after another.
     *
     * @param onFailure called with an error that no task caught
     */
    public BackgroundExecutor(Consumer<Throwable> onFailure) {
        this("background", 1, onFailure);
    }

    /**
     * @param name of its threads
     * @param count of its threads
     * @param onFailure called with an error that no task caught
     */
    public BackgroundExecutor(String name, int count, Consumer<Throwable> onFailure) {
        threads = Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name(name).factory());
        this.onFailure = onFailure;
    }

    /** Runs a task once a thread is free, in the order handed over; nothing happens once closed. */
    public void run(Runnable task) {
        try {
            threads.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    onFailure.accept(e);
                }
            });
        } catch (RejectedExecutionException closed) {
            // The worker is ending.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
