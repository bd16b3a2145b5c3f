// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.time.Duration;

/**
 * How long things take in a simulated job, in nanoseconds of virtual time.
 *
 * @param iteration shortest time of an iteration
 * @param update of one unknown, for iterations that take longer
 * @param opening of a block, in the mean
 * @param evaluating at least this; a part of a snapshot takes as long as one update of each of its unknowns
 * @param firstSample between two samples of a daemon at the start; then a fiftieth of its age
 * @param lastSample between two samples at most
 * @param restart from the end of a worker to the start of the next one, at least; at most three times as long
 * @param fencingGrace time that an old incarnation may compute after a newer one began
 * @param retransmission of a control message that was not acknowledged
 * @param links control messages that a link may hold
 * @param lateWakeups share of the halos that wake a block in rounds up to 10 ms late, as on a machine with few cores
 * @param resets the end of a process on a living host is noticed by all workers connected to it; else by those that connect to it
 */
public record TimingModel(
        long iteration,
        double update,
        long opening,
        long evaluating,
        long firstSample,
        long lastSample,
        long restart,
        long fencingGrace,
        Duration retransmission,
        int links,
        double lateWakeups,
        boolean resets) {
    private static final double SECOND = 1e9;
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
            0.1,
            false);

    /** As on machines of today. */
    public static TimingModel real(IterationCost iteration, Duration detectionTimeout) {
        return new TimingModel(
                iteration.shortest().toNanos(),
                SECOND / iteration.updatesPerSecond(),
                20_000_000,
                200_000,
                100_000_000,
                500_000_000,
                1_000_000_000,
                2 * detectionTimeout.toNanos() + 400_000_000,
                Duration.ofMillis(500),
                8192,
                0,
                true);
    }

    /** The time of an iteration of a block with this number of updates. */
    public double iteration(double updates) {
        return Math.max((double) iteration, updates * update);
    }

    /** The time to evaluate the residual of a part with this number of unknowns. */
    public long evaluation(int unknowns) {
        return Math.max(evaluating, (long) (unknowns * update));
    }

    /** From one sample of a daemon of this age to the next. */
    public long sample(long age) {
        return Math.clamp(age / AGE, firstSample, lastSample);
    }
}
