package dev.volary.checkpoint;

import java.time.Duration;

/**
 * How a store behaves.
 *
 * @param copies k, slots of a block
 * @param patience how long a restore waits for a slow holder once it has a copy from another
 * @param restoreWait how long a restore that found nothing waits for live members that have not joined
 * @param retry pause before a holder that failed is tried again
 */
public record StoreSettings(int copies, Duration patience, Duration restoreWait, Duration retry) {

    public StoreSettings {
        if (copies < 1) {
            throw new IllegalArgumentException("checkpoint.copies is " + copies + ", must be at least 1");
        }
    }

    /** k copies, and times for a group in one data centre. */
    public static StoreSettings of(int copies) {
        return new StoreSettings(copies, Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofMillis(200));
    }

    /** This, with another wait of a restore that found nothing. */
    public StoreSettings waiting(Duration newRestoreWait) {
        return new StoreSettings(copies, patience, newRestoreWait, retry);
    }
}
