// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.util.function.BooleanSupplier;

/** The times at which processes are killed: at equal distances from a start, whatever happens between. */
final class KillSchedule {
    private static final long LOOK_MILLIS = 5;

    private final long startNanos;
    private final double seconds;
    private int number;

    /**
     * A schedule.
     *
     * @param startNanos as of {@link System#nanoTime}
     * @param seconds from one kill to the next
     */
    KillSchedule(long startNanos, double seconds) {
        this.startNanos = startNanos;
        this.seconds = seconds;
    }

    /** Waits for the time of the next kill; returns false as soon as there is nothing more to kill. */
    boolean await(BooleanSupplier alive) throws InterruptedException {
        long at = startNanos + (long) (1e9 * seconds * (number + 1));
        while (System.nanoTime() < at) {
            if (!alive.getAsBoolean()) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        number++;
        return alive.getAsBoolean();
    }

    /** How many times have come. */
    int number() {
        return number;
    }
}
