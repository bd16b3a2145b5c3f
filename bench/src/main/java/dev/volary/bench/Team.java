package dev.volary.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that sweep in lock-step, meeting at a spinning barrier after every sweep, as the C program does. */
final class Team {
    private final int size;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger phase = new AtomicInteger();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long nanos;
    private final long[] allocated;

    /** What one member does in one sweep. */
    @FunctionalInterface
    interface Step {
        void sweep(int member, int number);
    }

    Team(int size) {
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

    /** Seconds of the sweeps that counted. */
    double seconds() {
        return nanos * 1e-9;
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
        sweepAll(member, 0, warm, step);
        long before = threads.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        sweepAll(member, warm, warm + sweeps, step);
        if (member == 0) {
            nanos = System.nanoTime() - start;
        }
        allocated[member] = threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void sweepAll(int member, int from, int to, Step step) {
        for (int i = from; i < to; i++) {
            step.sweep(member, i);
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
}
