// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import java.util.SplittableRandom;

/**
 * Time between attempts to connect: doubles from 20 ms to 2 s, and from 5 s to 30 s while no process listens there; with jitter so
 * that workers do not try at the same time. A worker listens before others learn its address, so one that refuses has most likely
 * ended, and an attempt costs cold code as much as a hundred messages.
 */
public final class Backoff {
    private static final long FIRST = 20_000_000L;
    private static final long LAST = 2_000_000_000L;
    private static final long FIRST_REFUSED = 5_000_000_000L;
    private static final long LAST_REFUSED = 30_000_000_000L;

    private final SplittableRandom random;
    private long next = FIRST;

    public Backoff(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Nanoseconds to wait before the next attempt.
     *
     * @param refused whether the last one found that no process listens there
     */
    public long next(boolean refused) {
        long longest = refused ? LAST_REFUSED : LAST;
        long now = Math.min(Math.max(next, refused ? FIRST_REFUSED : FIRST), longest);
        next = Math.min(2 * now, longest);
        return now / 2 + random.nextLong(now / 2 + 1);
    }

    /** An attempt succeeded. */
    public void reset() {
        next = FIRST;
    }
}
