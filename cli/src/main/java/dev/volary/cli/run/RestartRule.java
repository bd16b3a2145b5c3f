package dev.volary.cli.run;

import java.time.Duration;

/**
 * When a place gets its next process: at once, but not more than one a second; and never again after three processes in a row
 * that could not start. Pure.
 */
final class RestartRule {
    /** So many failed starts in a row are one too many. */
    static final int MOST_FAILED = 3;

    private static final long BETWEEN_STARTS = Duration.ofSeconds(1).toNanos();

    private long startedAt = Long.MIN_VALUE / 2;
    private boolean isUp;
    private int failed;

    /** A process was started. */
    void started(long now) {
        startedAt = now;
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
    void ended(boolean isUnable) {
        failed = isUp && !isUnable ? 0 : failed + 1;
    }

    /** Whether another process would fail as the last ones did. */
    boolean isHopeless() {
        return failed >= MOST_FAILED;
    }

    /** When the next one may start, in nanoseconds. */
    long startAt() {
        return startedAt + BETWEEN_STARTS;
    }
}
