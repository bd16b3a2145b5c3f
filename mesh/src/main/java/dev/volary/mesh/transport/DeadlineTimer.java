// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a task on its loop at the earliest of the times that were asked for since it last ran. To be used on the loop only. */
public final class DeadlineTimer {
    private final EventLoop loop;
    private final Runnable task;
    private long due = Long.MAX_VALUE;
    private @Nullable Future<?> set;

    DeadlineTimer(EventLoop loop, Runnable task) {
        this.loop = loop;
        this.task = task;
    }

    /**
     * Asks for a time.
     *
     * @param nanos of {@link System#nanoTime()}; {@link Long#MAX_VALUE} asks for nothing
     */
    public void at(long nanos) {
        if (nanos >= due) {
            return;
        }
        cancel();
        try {
            set = loop.schedule(this::ring, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            due = nanos;
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it everybody who waits for this.
            return;
        }
    }

    /** Takes back what was asked for. */
    public void cancel() {
        if (set != null) {
            set.cancel(false);
            set = null;
        }
        due = Long.MAX_VALUE;
    }

    private void ring() {
        set = null;
        due = Long.MAX_VALUE;
        task.run();
    }
}
