package dev.volary.mesh;

import java.util.SplittableRandom;

/** Time between attempts: doubles from 20 ms to 2 s, with jitter so that workers do not try in step. */
final class Backoff {
    private static final long FIRST = 20_000_000L;
    private static final long LAST = 2_000_000_000L;

    private final SplittableRandom random;
    private long next = FIRST;

    Backoff(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Nanoseconds to wait before the next attempt. */
    long next() {
        long wait = next / 2 + random.nextLong(next / 2 + 1);
        next = Math.min(2 * next, LAST);
        return wait;
    }

    /** An attempt succeeded. */
    void reset() {
        next = FIRST;
    }
}
