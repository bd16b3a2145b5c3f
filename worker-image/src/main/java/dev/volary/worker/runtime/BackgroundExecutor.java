// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The one thread for what may take long and must hold up neither agent nor computing: residuals, parts, opening blocks. */
public final class BackgroundExecutor implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("background").factory());
    private final Consumer<Throwable> onBroken;

    /**
     * @param onBroken told of an error no task caught
     */
    public BackgroundExecutor(Consumer<Throwable> onBroken) {
        this.onBroken = onBroken;
    }

    /** Runs a task after those handed over before it; nothing happens once closed. */
    public void run(Runnable task) {
        try {
            thread.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    onBroken.accept(e);
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
