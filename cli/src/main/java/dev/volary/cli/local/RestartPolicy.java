// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import java.time.Duration;

/**
 * Decides when an ended worker process is restarted: one second later, because starting takes processor time from the daemons
 * that take over its blocks, and never after three failed starts in a row. Pure; times are nanoseconds.
 */
final class RestartPolicy {
    /** Number of failed starts in a row after which the job fails. */
    static final int MAX_FAILED_STARTS = 3;

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private long startAt = Long.MIN_VALUE / 2;
    private boolean isReady;
    private int failedStarts;

    /** A process was started. */
    void started() {
        isReady = false;
    }

    /** The process is ready. */
    void ready() {
        isReady = true;
    }

    /**
     * The process ended.
     *
     * @param isUnable whether it reported that it cannot continue
     */
    void ended(boolean isUnable, long now) {
        startAt = now + PAUSE;
        failedStarts = isReady && !isUnable ? 0 : failedStarts + 1;
    }

    /** Whether a further process would fail like the last ones. */
    boolean isHopeless() {
        return failedStarts >= MAX_FAILED_STARTS;
    }

    /** Earliest start of the next process, in nanoseconds. */
    long startAt() {
        return startAt;
    }
}
