// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs tasks of a simulated process in virtual time, as long as the process lives. */
final class VirtualExecutor extends AbstractExecutorService implements ScheduledExecutorService {
    private final VirtualTime time;
    private final BooleanSupplier isAlive;

    VirtualExecutor(VirtualTime time, BooleanSupplier isAlive) {
        this.time = time;
        this.isAlive = isAlive;
    }

    private static final class Timer extends FutureTask<@Nullable Void> implements ScheduledFuture<@Nullable Void> {
        Timer(Runnable task) {
            super(task, null);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    @Override
    public void execute(Runnable task) {
        time.after(Duration.ZERO, () -> {
            if (isAlive.getAsBoolean()) {
                task.run();
            }
        });
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Timer timer = new Timer(task);
        time.after(Duration.of(delay, unit.toChronoUnit()), () -> {
            if (isAlive.getAsBoolean()) {
                timer.run();
            }
        });
        return timer;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        // a process that ends runs no task any more
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return !isAlive.getAsBoolean();
    }

    @Override
    public boolean isTerminated() {
        return isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
