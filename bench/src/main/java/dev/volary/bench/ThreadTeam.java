// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that sweep in lock-step, meeting at a spinning barrier after every sweep, as the C program does. */
final class ThreadTeam {
    /**
     * The fastest stretch of this number of sweeps counts: whatever else the machine does only makes one slower. A block measures
     * its hint once in eight sweeps, so each stretch contains one.
     */
    static final int WINDOW = 8;

    private final int size;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger phase = new AtomicInteger();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long fastest = Long.MAX_VALUE;
    private long started;
    private final long[] allocated;

    /** What one member does in one sweep. */
    @FunctionalInterface
    interface Step {
        void sweep(int member, int number);
    }

    ThreadTeam(int size) {
        this.size = size;
        this.allocated = new long[size];
    }

    /** Does {@code warm} sweeps and then {@code sweeps} that count. */
    void run(int warm, int sweeps, Step step) throws InterruptedException {
        Thread[] others = new Thread[size];
        for (int m = 1; m < size; m++) {
            int member = m;
            others[m] = Thread.ofPlatform().start(() -> work(member, warm, sweeps, step));
        }
        work(0, warm, sweeps, step);
        for (int m = 1; m < size; m++) {
            others[m].join();
        }
    }

    /** Seconds for a sweep in the fastest stretch. */
    double secondsForSweep() {
        return fastest * 1e-9 / WINDOW;
    }

    /** Bytes allocated by all members in the sweeps that counted. */
    long allocated() {
        long sum = 0;
        for (long bytes : allocated) {
            sum += bytes;
        }
        return sum;
    }

    private void work(int member, int warm, int sweeps, Step step) {
        for (int i = 0; i < warm; i++) {
            sweep(member, i, step);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        if (member == 0) {
            started = System.nanoTime();
        }
        for (int i = 1; i <= sweeps; i++) {
            sweep(member, warm + i - 1, step);
            if (member == 0 && i % WINDOW == 0) {
                long now = System.nanoTime();
                fastest = Math.min(fastest, now - started);
                started = now;
            }
        }
        allocated[member] = threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void sweep(int member, int number, Step step) {
        step.sweep(member, number);
        int now = phase.get();
        if (arrived.incrementAndGet() == size) {
            arrived.set(0);
            phase.set(now + 1);
        } else {
            while (phase.get() == now) {
                Thread.onSpinWait();
            }
        }
    }
}
