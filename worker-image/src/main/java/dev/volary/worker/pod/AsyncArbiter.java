// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.protocol.machine.LeaderElectionRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An arbiter that blocks, asked by a machine that does not: one question at a time, on a thread of its own. A question that
 * fails, or comes while another is open, is dropped: the machine asks again. While the arbiter is away it is asked once a second.
 */
public final class AsyncArbiter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private interface Question {
        LeaderElectionRecord ask(Arbiter arbiter) throws IOException;
    }

    private final Arbiter arbiter;
    private final Consumer<LeaderElectionRecord> answered;
    private final Consumer<String> log;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("arbiter").factory());
    private boolean isAway; // the thread's

    /**
     * @param answered receives each record
     * @param log receives a line when the arbiter cannot be asked, and when it can again
     */
    public AsyncArbiter(Arbiter arbiter, Consumer<LeaderElectionRecord> answered, Consumer<String> log) {
        this.arbiter = arbiter;
        this.answered = answered;
        this.log = log;
    }

    /** Asks for the record. */
    public void read() {
        ask(Arbiter::read);
    }

    /** Asks for another record in the place of {@code expected}. */
    public void compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) {
        ask(a -> a.compareAndSet(expected, next));
    }

    /** Whether the job still has its record; fails if that cannot be asked. */
    public CompletableFuture<Boolean> exists() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return arbiter.exists();
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                thread);
    }

    private void ask(Question question) {
        if (!busy.compareAndSet(false, true)) {
            return;
        }
        try {
            thread.execute(() -> askNow(question));
        } catch (RejectedExecutionException closed) {
            // The worker is ending.
        }
    }

    private void askNow(Question question) {
        try {
            LeaderElectionRecord record = question.ask(arbiter);
            if (isAway) {
                isAway = false;
                log.accept("the arbiter answers again");
            }
            busy.set(false);
            answered.accept(record);
        } catch (IOException e) {
            if (!isAway) {
                isAway = true;
                log.accept("the arbiter cannot be asked, the job goes on without it: " + e.getMessage());
            }
            pause();
            busy.set(false);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
