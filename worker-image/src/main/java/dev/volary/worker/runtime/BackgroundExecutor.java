// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * For what may take long and must delay neither the machine nor computing: parts, residuals, opening blocks. One thread runs tasks in
 * their order; what several blocks can do at once runs beside it.
 */
public final class BackgroundExecutor implements AutoCloseable {
    private final ExecutorService inOrder = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("background").factory());
    private final ExecutorService beside;
    private final Consumer<Throwable> onFailure;

    /**
     * @param threads for tasks beside each other
     * @param onFailure called with an error that no task caught
     */
    public BackgroundExecutor(int threads, Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
        beside = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("background-", 0).factory());
    }

    /** Runs a task after those handed over before it; nothing happens once closed. */
    public void run(Runnable task) {
        run(inOrder, task);
    }

    /** Runs a task in no order with others; nothing happens once closed. */
    public void runBeside(Runnable task) {
        run(beside, task);
    }

    private void run(ExecutorService executor, Runnable task) {
        try {
            executor.execute(() -> {
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
        inOrder.shutdownNow();
        beside.shutdownNow();
    }
}
