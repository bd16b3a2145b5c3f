// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a task on its loop at the earliest of the times that were requested since it last ran. To be used on the loop only. */
public final class DeadlineTimer {
    private final EventLoop loop;
    private final Runnable task;
    private long due = Long.MAX_VALUE;
    private @Nullable Future<?> scheduled;

    DeadlineTimer(EventLoop loop, Runnable task) {
        this.loop = loop;
        this.task = task;
    }

    /**
     * Requests a run at a time.
     *
     * @param nanos of {@link System#nanoTime()}; {@link Long#MAX_VALUE} requests none
     */
    public void scheduleAt(long nanos) {
        if (nanos >= due) {
            return;
        }
        cancel();
        try {
            scheduled = loop.schedule(this::run, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            due = nanos;
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all callers that wait for this.
            return;
        }
    }

    /** Cancels the requested run. */
    public void cancel() {
        if (scheduled != null) {
            scheduled.cancel(false);
            scheduled = null;
        }
        due = Long.MAX_VALUE;
    }

    private void run() {
        scheduled = null;
        due = Long.MAX_VALUE;
        task.run();
    }
}
