// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import dev.volary.protocol.backup.BackupSearch;
import java.time.Duration;

/**
 * How a store behaves.
 *
 * @param copies k, slots of a block
 * @param patience of a restore
 * @param retry pause before a holder that failed is tried again
 */
public record StoreSettings(int copies, BackupSearch.Patience patience, Duration retry) {

    public StoreSettings {
        if (copies < 1) {
            throw new IllegalArgumentException("checkpoint.copies is " + copies + ", must be at least 1");
        }
    }

    /** k copies, and times for a group in one data centre. */
    public static StoreSettings of(int copies) {
        // The second of these ends well before a block starts without its backup: an older copy is worth more than
        // none.
        BackupSearch.Patience patience = new BackupSearch.Patience(
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofMillis(50));
        return new StoreSettings(copies, patience, Duration.ofMillis(200));
    }

    /** This, with another wait of a restore that found nothing. */
    public StoreSettings waiting(Duration nothing) {
        return new StoreSettings(copies, patience.waiting(nothing), retry);
    }
}
