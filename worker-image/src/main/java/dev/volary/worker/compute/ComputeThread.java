// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One thread that runs its tasks in turn until it is closed. It parks only when no task has anything worth computing, and
 * anything that arrives for one of them wakes it.
 */
final class ComputeThread implements AutoCloseable {
    /** Upper bound of a nap, so that a lost wake-up costs little. */
    private static final long NAP_NANOS = Duration.ofMillis(5).toNanos();

    private final Thread thread;
    private final Consumer<Throwable> onFailure;
    private final ConcurrentLinkedQueue<ComputeTask> joining = new ConcurrentLinkedQueue<>();
    private final NapListener naps;
    private volatile boolean closed;
    private volatile boolean napping;

    /** Called whenever the thread runs out of work, and when it has some again. */
    interface NapListener {
        void napping(boolean naps);
    }

    ComputeThread(String name, Consumer<Throwable> onFailure, NapListener naps) {
        this.onFailure = onFailure;
        this.naps = naps;
        this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void add(ComputeTask task) {
        joining.add(task);
        wake();
    }

    /** Ends a nap; cheap when there is none. From any thread. */
    void wake() {
        if (napping) {
            napping = false;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        List<ComputeTask> tasks = new ArrayList<>();
        try {
            while (!closed) {
                for (ComputeTask task = joining.poll(); task != null; task = joining.poll()) {
                    tasks.add(task);
                }
                if (!runAll(tasks)) {
                    nap(tasks);
                }
            }
        } catch (RuntimeException | Error broken) {
            onFailure.accept(broken);
        }
    }

    private void nap(List<ComputeTask> tasks) {
        naps.napping(true);
        boolean worked = false;
        while (!worked && !closed && joining.isEmpty()) {
            // Announce the nap, then look once more: a thread that delivers something in between sees the flag.
            napping = true;
            worked = runAll(tasks);
            if (!worked && joining.isEmpty() && napping && !closed) {
                LockSupport.parkNanos(this, NAP_NANOS);
            }
        }
        napping = false;
        naps.napping(false);
    }

    private static boolean runAll(List<ComputeTask> tasks) {
        boolean worked = false;
        for (Iterator<ComputeTask> each = tasks.iterator(); each.hasNext(); ) {
            switch (each.next().runOnce()) {
                case WORKED -> worked = true;
                case IDLE -> {}
                case DONE -> each.remove();
            }
        }
        return worked;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Waits until the thread has ended. */
    void join() throws InterruptedException {
        thread.join();
    }
}
