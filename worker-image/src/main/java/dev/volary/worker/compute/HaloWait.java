// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import java.time.Duration;

/**
 * Decides whether a block of a relaxation waits for newer halos before its next iteration. Each iteration carries what the halos
 * say further into the block. Once they have passed through it, further iterations on them are worth little, and their time is
 * missing where the halos are computed and sent (docs/explanation/asynchronous-iteration.md, "thin blocks").
 *
 * <p>The wait is bounded by a few times the usual interval between arrivals. If nothing arrives in that time, the block iterates
 * without waits until something does, so an absent neighbor slows nobody down.
 *
 * <p>Time is a parameter. For one thread.
 */
final class HaloWait {
    private static final int PATIENCE_INTERVALS = 4;
    private static final long FIRST_PATIENCE_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_PATIENCE_NANOS = Duration.ofMillis(200).toNanos();
    private static final double SMOOTHING = 0.3;

    private final long depth;
    /** Iterations since the newest halos were put into use. */
    private long iterations;

    private long refreshedAt;
    private long iteratedAt;
    /** Smoothed; 0 if it is not known. */
    private double interval;

    private boolean isGivenUp;

    /** @param depth iterations after which the halos have passed through the block, at least 1 */
    HaloWait(long depth) {
        this.depth = depth;
    }

    /**
     * The depth of a block.
     *
     * @param core values of the block
     * @param halos values of all its halos
     * @param reach layers through which an iteration carries a change of a halo, at least 1
     */
    static long depth(long core, long halos, double reach) {
        return halos == 0 ? Long.MAX_VALUE : Math.max(1, (long) ((double) core / halos / reach));
    }

    /** Newer halos are in use. */
    void refreshed(long nowNanos) {
        if (refreshedAt != 0 && iterations > 0) {
            double sample = (double) (nowNanos - refreshedAt);
            interval = interval == 0 ? sample : interval + SMOOTHING * (sample - interval);
        }
        refreshedAt = nowNanos;
        iterations = 0;
        isGivenUp = false;
    }

    /** The block has completed an iteration. */
    void iterated(long nowNanos) {
        iterations++;
        iteratedAt = nowNanos;
    }

    /** Whether the block waits after the iteration that begins now, unless newer halos arrive meanwhile. */
    boolean isLast() {
        return !isGivenUp && iterations + 1 >= depth;
    }

    /** Whether the block waits now. */
    boolean isWaiting(long nowNanos) {
        if (isGivenUp || iterations < depth) {
            return false;
        }
        isGivenUp = nowNanos - iteratedAt >= patienceNanos();
        return !isGivenUp;
    }

    private long patienceNanos() {
        return interval == 0
                ? FIRST_PATIENCE_NANOS
                : Math.min(LONGEST_PATIENCE_NANOS, (long) (PATIENCE_INTERVALS * interval));
    }
}
