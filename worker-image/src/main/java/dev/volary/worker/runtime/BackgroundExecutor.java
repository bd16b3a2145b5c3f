// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The one thread for what may take long and must delay neither the machine nor computing: residuals, parts, opening blocks. */
public final class BackgroundExecutor implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("background").factory());
    private final Consumer<Throwable> onFailure;

    /**
     * @param onFailure called with an error that no task caught
     */
    public BackgroundExecutor(Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
    }

    /** Runs a task after those handed over before it; nothing happens once closed. */
    public void run(Runnable task) {
        try {
            thread.execute(() -> {
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
        thread.shutdownNow();
    }
}
