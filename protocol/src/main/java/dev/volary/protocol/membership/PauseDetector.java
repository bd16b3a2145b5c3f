// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

/** Notices that this process was paused: a call came later than it was asked for. */
final class PauseDetector {
    private final long toleratedNanos;
    private long lastCall = PeerState.NEVER;
    private long expectedWakeUp = Long.MAX_VALUE;

    /** @param toleratedNanos a call that is late by more than this shows a pause */
    PauseDetector(long toleratedNanos) {
        this.toleratedNanos = toleratedNanos;
    }

    /** The next call is asked for at this time; an earlier one is no wake-up. */
    void expect(long wakeUp) {
        expectedWakeUp = wakeUp;
    }

    /** How late a call at this time is, in nanoseconds. */
    long lateNanos(long now) {
        return expectedWakeUp == Long.MAX_VALUE ? 0 : Math.max(0, now - expectedWakeUp);
    }

    /** A call has come; returns the longest time for which this process may have been paused before it, in nanoseconds. */
    long called(long now) {
        long late = lateNanos(now);
        long longest = 0;
        if (late > toleratedNanos) {
            // This call came late; the pause may have begun up to so much before the call was due.
            long waited = Math.max(0, expectedWakeUp - lastCall);
            longest = late + Math.min(waited, late);
            expectedWakeUp = Long.MAX_VALUE;
        }
        lastCall = now;
        return longest;
    }
}
