// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Keeps the bulk loop from taking the cores that compute.
 *
 * <p>The rule weighs what a halo costs against what it is worth. Sending every {@code t} takes {@code 4 × cost × links / t}
 * from computing, where {@code cost} is the CPU time that the bulk loop spends per frame it sends (with all that it receives
 * meanwhile, acknowledgements and encryption), measured over windows of 100 ms and smoothed, {@code links} is the number of
 * links that sent in the last window, computing loses as much again because its
 * caches are emptied, and where daemons share processors it has about half a core. Values of age
 * {@code t} slow the relaxation down by about {@code t / lifetime} (docs/decisions/0010-halo-pacing.md). The sum is smallest
 * at {@code t = √(4 × cost × links × lifetime)}; the loop never takes more than {@code share} of a core. There is no pacing for
 * urgent values, and none where sending after each iteration takes less than a tenth of it.
 *
 * <p>Confined to the bulk loop.
 */
final class HaloPacer {
    private static final long WINDOW_NANOS = 100_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;
    private static final double SMOOTHING = 0.3;
    private static final int FIRST_MEASURE = 16;
    private static final double CHEAP = 10;

    private final double share;
    private final LongSupplier cpu;
    private final Set<Object> links = new HashSet<>();
    private long frames;
    private long windowStart;
    private long windowCpu = -1;
    private double cost;
    private double spent;

    HaloPacer(double share) {
        this(share, HaloPacer::threadCpu);
    }

    /**
     * @param cpu CPU time of the bulk loop in nanoseconds, asked on that loop
     */
    HaloPacer(double share, LongSupplier cpu) {
        this.share = share;
        this.cpu = cpu;
    }

    /**
     * When a link may send again, in nanoseconds. Links of like intervals meet at the same instants, so that one waking of
     * the loop serves them all.
     *
     * @param lastSent when it sent last
     * @param depth age in iterations at which the link's values double the work that is left; 0 if it is not known
     * @param iterationNanos time of an iteration; 0 if it is not known
     */
    long due(long lastSent, double depth, double iterationNanos) {
        long interval = interval(depth, iterationNanos);
        long grid = Math.max(1, Long.highestOneBit(interval) / 2);
        return lastSent + interval - 1 + grid - Math.floorMod(lastSent + interval - 1, grid);
    }

    /** Least time between two frames of a link, in nanoseconds; what {@link #due} starts from. */
    long interval(double depth, double iterationNanos) {
        if (share == 0 || spent < iterationNanos / CHEAP) {
            return 0;
        }
        double best = Math.sqrt(4 * spent * depth * iterationNanos);
        return (long) Math.min(LONGEST_NANOS, Math.max(spent / share, best));
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
            spent = cost * links.size();
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
