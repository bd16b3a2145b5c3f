package dev.volary.mesh;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Keeps the bulk loop from taking the cores that compute.
 *
 * <p>The rule: a link sends again after {@code cost × links / share}, where {@code cost} is the CPU time that the bulk loop
 * spends per frame it sends (with all that it receives meanwhile, acknowledgements and encryption), measured over windows of
 * 100 ms and smoothed; {@code links} is the number of links that sent in the last window; {@code share} is the part of a core
 * that the loop may take. While computing is idle, for urgent values and for what was waited for, there is no pacing.
 *
 * <p>Confined to the bulk loop, except {@link #idle}.
 */
final class Pacer {
    private static final long WINDOW_NANOS = 100_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;
    private static final double SMOOTHING = 0.3;
    private static final int FIRST_MEASURE = 16;

    private final double share;
    private final LongSupplier cpu;
    private final Set<Object> links = new HashSet<>();
    private volatile boolean idle;
    private long frames;
    private long windowStart;
    private long windowCpu = -1;
    private double cost;
    private long interval;

    Pacer(double share) {
        this(share, Pacer::threadCpu);
    }

    /**
     * @param cpu CPU time of the bulk loop in nanoseconds, asked on that loop
     */
    Pacer(double share, LongSupplier cpu) {
        this.share = share;
        this.cpu = cpu;
    }

    void idle(boolean nothingToCompute) {
        idle = nothingToCompute;
    }

    /** Least time between two frames of a link, in nanoseconds. */
    long interval() {
        return idle ? 0 : interval;
    }

    /** A frame of this link went out. */
    void sent(Object link, long now) {
        if (share == 0) {
            return;
        }
        links.add(link);
        frames++;
        if (windowCpu < 0) {
            // Few frames cost little: loading the management classes for them would cost more.
            if (frames >= FIRST_MEASURE) {
                start(now);
            }
        } else if (now - windowStart >= WINDOW_NANOS) {
            double sample = (double) (cpu.getAsLong() - windowCpu) / frames;
            cost = cost == 0 ? sample : cost + SMOOTHING * (sample - cost);
            interval = (long) Math.min(LONGEST_NANOS, cost * links.size() / share);
            start(now);
        }
    }

    private void start(long now) {
        windowStart = now;
        windowCpu = cpu.getAsLong();
        frames = 0;
        links.clear();
    }

    private static long threadCpu() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
    }
}
