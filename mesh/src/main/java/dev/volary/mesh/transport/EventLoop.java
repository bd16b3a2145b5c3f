// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One thread that owns connections and runs what concerns them. */
public final class EventLoop implements AutoCloseable {
    private static final long QUIET_MILLIS = 0;
    private static final long STOP_MILLIS = 2000;

    private final EventLoopGroup group;
    private final io.grpc.netty.shaded.io.netty.channel.EventLoop loop;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /** Starts with its first task. */
    public EventLoop(String threadName) {
        NettySettings.apply();
        group = new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread made = new Thread(task, threadName);
                    made.setDaemon(true);
                    thread.set(made);
                    return made;
                },
                LateWakeupNioHandler.newFactory());
        loop = group.next();
    }

    /** Runs a task on the loop; dropped if the loop has ended. */
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The mesh is closed: no caller waits for this any more.
            return;
        }
    }

    /** Runs a task at once if this is the loop's thread, else soon on the loop. */
    public void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /** Runs a task later; dropped if the loop has ended. */
    public void schedule(Runnable task, long nanos) {
        try {
            var _ = loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return;
        }
    }

    /** A timer that runs a task at times that are set later. */
    public DeadlineTimer timer(Runnable task) {
        return new DeadlineTimer(loop, task);
    }

    /** Whether this is the loop's thread. */
    public boolean isInLoop() {
        return loop.inEventLoop();
    }

    EventLoopGroup group() {
        return group;
    }

    /** Ends the thread; waits until it has ended, for a few seconds at most. */
    @Override
    public void close() {
        var _ = group.shutdownGracefully(QUIET_MILLIS, STOP_MILLIS, TimeUnit.MILLISECONDS);
        try {
            if (!group.awaitTermination(Duration.ofMillis(2 * STOP_MILLIS).toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("event loop does not end: a callback blocks it");
            }
            Thread last = thread.get();
            if (last != null) {
                last.join(STOP_MILLIS); // it has nothing left to do but to end
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
