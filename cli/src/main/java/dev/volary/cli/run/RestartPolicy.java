// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import java.time.Duration;

/**
 * When a place gets its next process: a second after the last one has ended, since starting takes processors from those that
 * take its blocks over; and never again after three processes in a row that could not start. Pure; times are nanoseconds.
 */
final class RestartPolicy {
    /** So many failed starts in a row are one too many. */
    static final int MOST_FAILED = 3;

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private long startAt = Long.MIN_VALUE / 2;
    private boolean isUp;
    private int failed;

    /** A process was started. */
    void started() {
        isUp = false;
    }

    /** It is up and listens. */
    void up() {
        isUp = true;
    }

    /**
     * It has ended.
     *
     * @param isUnable whether it said that it cannot go on
     */
    void ended(boolean isUnable, long now) {
        startAt = now + PAUSE;
        failed = isUp && !isUnable ? 0 : failed + 1;
    }

    /** Whether another process would fail as the last ones did. */
    boolean isHopeless() {
        return failed >= MOST_FAILED;
    }

    /** When the next one may start, in nanoseconds. */
    long startAt() {
        return startAt;
    }
}
