// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import java.time.Duration;

/**
 * The longest delay of this process's wake-ups in the last 15 to 30 s. A wake-up comes late if the machine has more to do than it
 * has processors, if the container is throttled, or if the process was paused: whatever the cause, the next heartbeat may be as
 * late.
 */
final class SchedulingDelay {
    private static final long WINDOW_NANOS = Duration.ofSeconds(15).toNanos();

    private final long least;
    private long windowEnd = PeerState.NEVER;
    private long longest;
    private long longestBefore;

    /** @param least that is to be expected always, in nanoseconds */
    SchedulingDelay(long least) {
        this.least = least;
    }

    /** A wake-up came this many nanoseconds late; zero if it was in time. */
    void record(long nanos, long now) {
        advance(now);
        longest = Math.max(longest, nanos);
    }

    /** In nanoseconds. */
    long longest(long now) {
        advance(now);
        return Math.max(least, Math.max(longest, longestBefore));
    }

    private void advance(long now) {
        if (now >= windowEnd) {
            longestBefore = now - windowEnd < WINDOW_NANOS ? longest : 0;
            longest = 0;
            windowEnd = now + WINDOW_NANOS;
        }
    }
}
