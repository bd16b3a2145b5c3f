// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import java.time.Duration;

/**
 * How members of a group monitor each other; the same for all of them.
 *
 * @param strategy which members monitor each other
 * @param watchers how many members monitor each one; 1 for {@link MonitoringKind#RING}
 * @param heartbeat between two heartbeats to a watcher
 * @param timeout for {@link MonitoringKind#RING_WITH_CONFIRMATION}: from the last sign of life to the verdict, confirmation
 *     included. For {@link MonitoringKind#RANDOM_MONITORS}: how late a heartbeat may be. Else: silence after which the watcher
 *     reports a suspicion
 * @param insurance between two heartbeats to members that are no watchers; not used by {@link MonitoringKind#RING} and
 *     {@link MonitoringKind#CENTRALISED}
 * @param confirmations how many members besides the first reporter must not reach a silent suspect, as far as there are as
 *     many; used by {@link MonitoringKind#RING_WITH_CONFIRMATION}
 * @param broken how long a suspect may refute its suspicion; used by {@link MonitoringKind#RANDOM_MONITORS}
 * @param stuck for how long a block that does not wait may complete no iteration
 */
public record FailureDetectorConfig(
        MonitoringKind strategy,
        int watchers,
        Duration heartbeat,
        Duration timeout,
        Duration insurance,
        int confirmations,
        Duration broken,
        Duration stuck) {

    /** Members beyond this many are not insured: a member's load stays flat however large the group is. */
    public static final int INSURED = 31;

    /** What a member that runs late is allowed in addition, at most, in timeouts. */
    public static final int LONGEST_ALLOWANCE = 4;

    /** Suspicions within this time make one batch of verdicts. */
    private static final Duration LONGEST_BATCH = Duration.ofMillis(100);

    public FailureDetectorConfig {
        positive("heartbeat", heartbeat);
        positive("timeout", timeout);
        positive("insurance", insurance);
        positive("broken", broken);
        positive("stuck", stuck);
        if (watchers < 1 || watchers > INSURED) {
            throw new IllegalArgumentException(
                    "watchers is " + watchers + ", must be from 1 to " + INSURED + "; 2 survives most adjacent deaths");
        }
        if (strategy == MonitoringKind.RING && watchers != 1) {
            throw new IllegalArgumentException("watchers is " + watchers
                    + ", but the strategy Ring has one; make it 1 or choose RingWithConfirmation");
        }
        if (confirmations < 0) {
            throw new IllegalArgumentException(
                    "confirmations is " + confirmations + ", must not be negative; 3 is the default");
        }
        if (heartbeat.compareTo(timeout) > 0) {
            throw new IllegalArgumentException("heartbeat is " + heartbeat + ", longer than the timeout " + timeout
                    + ": every member would be suspected; make it " + timeout.dividedBy(4) + " or less");
        }
        if (strategy == MonitoringKind.RING_WITH_CONFIRMATION
                && heartbeat.multipliedBy(3).compareTo(timeout) > 0) {
            throw new IllegalArgumentException(
                    "heartbeat is " + heartbeat + ", more than a third of the timeout " + timeout
                            + ": no time is left to confirm a suspicion; make it " + timeout.dividedBy(4) + " or less");
        }
        if (insurance.compareTo(heartbeat) < 0) {
            throw new IllegalArgumentException("insurance is " + insurance + ", shorter than the heartbeat " + heartbeat
                    + "; make it at least as long, 30 times the timeout is the default");
        }
        if (stuck.compareTo(timeout) < 0) {
            throw new IllegalArgumentException("stuck is " + stuck + ", shorter than the timeout " + timeout
                    + ": a pause would look stuck; make it longer than the longest iteration and the timeout");
        }
    }

    private static void positive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(field + " is " + value + ", must be positive; write it as 500ms or 2s");
        }
    }

    /** The default: two watchers, a verdict within 2 s, a heartbeat to each watcher every 640 ms. */
    public static FailureDetectorConfig standard() {
        return confirmed(2, Duration.ofSeconds(2));
    }

    /** {@link MonitoringKind#RING_WITH_CONFIRMATION} with a verdict within the timeout. */
    public static FailureDetectorConfig confirmed(int watchers, Duration timeout) {
        return derived(MonitoringKind.RING_WITH_CONFIRMATION, watchers, timeout);
    }

    /** The ring of JACEP2P-V2, with heartbeats as often as the default. */
    public static FailureDetectorConfig ring(Duration timeout) {
        return derived(MonitoringKind.RING, 1, timeout);
    }

    /** All heartbeats to the owner, as often as the default. */
    public static FailureDetectorConfig centralised(Duration timeout) {
        return derived(MonitoringKind.CENTRALISED, 1, timeout);
    }

    /** The parameters of the Phoenix paper: k = 2, 5 s, insurance 200 s, time-out 5 s, broken after 5 s. */
    public static FailureDetectorConfig phoenix() {
        return new FailureDetectorConfig(
                MonitoringKind.RANDOM_MONITORS,
                2,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(200),
                0,
                Duration.ofSeconds(5),
                Duration.ofSeconds(60));
    }

    /**
     * A strategy with its own parameters, except these.
     *
     * @param watchers not used where the strategy has one watcher
     * @throws IllegalArgumentException if they do not fit together; names parameter, value and remedy
     */
    public static FailureDetectorConfig of(MonitoringKind strategy, int watchers, Duration timeout) {
        return switch (strategy) {
            case RING -> ring(timeout);
            case CENTRALISED -> centralised(timeout);
            case RING_WITH_CONFIRMATION -> confirmed(watchers, timeout);
            case RANDOM_MONITORS -> {
                FailureDetectorConfig paper = phoenix();
                yield new FailureDetectorConfig(
                        strategy,
                        watchers,
                        paper.heartbeat,
                        timeout,
                        paper.insurance,
                        0,
                        timeout,
                        atLeastAMinute(timeout));
            }
        };
    }

    private static Duration atLeastAMinute(Duration timeout) {
        Duration stuck = timeout.multipliedBy(30);
        return stuck.compareTo(Duration.ofSeconds(60)) > 0 ? stuck : Duration.ofSeconds(60);
    }

    private static FailureDetectorConfig derived(MonitoringKind strategy, int watchers, Duration timeout) {
        positive("timeout", timeout);
        return new FailureDetectorConfig(
                strategy,
                watchers,
                timeout.multipliedBy(32).dividedBy(100),
                timeout,
                timeout.multipliedBy(30),
                3,
                timeout,
                atLeastAMinute(timeout));
    }

    /** This, with another time after which a block counts as stuck. */
    public FailureDetectorConfig withStuck(Duration newStuck) {
        return new FailureDetectorConfig(
                strategy, watchers, heartbeat, timeout, insurance, confirmations, broken, newStuck);
    }

    /** Between two probes of a suspect, and two repetitions of a suspicion. */
    public long probeNanos() {
        return Math.max(1, timeout.toNanos() / 40);
    }

    /** How late a heartbeat may be before it is asked for. */
    public long graceNanos() {
        return heartbeat.toNanos() / 5;
    }

    /** Silence after which a confirmed suspicion is a verdict: leaves time for the batch and the messages. */
    public long silenceNanos() {
        return timeout.toNanos() / 10 * 9;
    }

    /**
     * How much longer a member may be silent that runs late: twice as long as it was late recently, and at most
     * {@value #LONGEST_ALLOWANCE} timeouts. A delay below a quarter of the timeout is ordinary.
     */
    public long allowanceNanos(long delayNanos) {
        return delayNanos <= timeout.toNanos() / 4
                ? 0
                : Math.min(2 * delayNanos, LONGEST_ALLOWANCE * timeout.toNanos());
    }

    /** How long a suspect is probed at least if it is unknown when it last gave a sign of life. */
    public long probationNanos() {
        return timeout.toNanos() / 100 * 55;
    }

    /** How long verdicts wait for others. */
    public long batchNanos() {
        return Math.min(LONGEST_BATCH.toNanos(), timeout.toNanos() / 20);
    }
}
