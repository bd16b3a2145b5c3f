// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.time.Duration;

/**
 * How long things take in a simulated job, in nanoseconds of virtual time.
 *
 * @param iteration shortest time of an iteration
 * @param update of one unknown, for iterations that take longer
 * @param opening of a block, in the mean
 * @param evaluating a part of a snapshot takes as long as so many updates of its unknowns, but this at least
 * @param firstSample between two samples of a daemon at the start; then a fiftieth of its age
 * @param lastSample between two samples at most
 * @param restart from the end of a worker to the start of the next one, at least; at most three times as long
 * @param unjudged an old incarnation may compute for so long after a newer one began
 * @param retransmission of a control message that nobody has acknowledged
 * @param links control messages that a link may hold
 * @param resets a process that ends on a living host is noticed by whoever has a connection to it; else by who calls it
 */
public record TimingModel(
        long iteration,
        double update,
        long opening,
        long evaluating,
        long firstSample,
        long lastSample,
        long restart,
        long unjudged,
        Duration retransmission,
        int links,
        boolean resets) {
    private static final double SECOND = 1e9;
    private static final double UPDATES_PER_SECOND = 4e8;
    private static final long AGE = 50;

    /** Everything happens within some hundred milliseconds, and a stuck link fills up: for many short jobs. */
    static final TimingModel QUICK = new TimingModel(
            1_000_000,
            0,
            5_000_000,
            200_000,
            10_000_000,
            10_000_000,
            20_000_000,
            400_000_000,
            Duration.ofMillis(20),
            64,
            false);

    /** As on machines of today. */
    public static TimingModel real(Duration iteration, Duration watchTimeout) {
        return new TimingModel(
                iteration.toNanos(),
                SECOND / UPDATES_PER_SECOND,
                20_000_000,
                200_000,
                100_000_000,
                500_000_000,
                1_000_000_000,
                2 * watchTimeout.toNanos() + 400_000_000,
                Duration.ofMillis(500),
                8192,
                true);
    }

    /** An iteration of a block with so many updates. */
    public double iteration(double updates) {
        return Math.max((double) iteration, updates * update);
    }

    /** The residual of a part with so many unknowns. */
    public long evaluation(int unknowns) {
        return Math.max(evaluating, (long) (unknowns * update));
    }

    /** From one sample of a daemon of this age to the next. */
    public long sample(long age) {
        return Math.clamp(age / AGE, firstSample, lastSample);
    }
}
