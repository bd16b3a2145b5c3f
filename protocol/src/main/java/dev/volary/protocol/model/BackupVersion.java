// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Comparator;

/**
 * A backup that others keep, as its block's daemon has reported it.
 *
 * @param incarnation of the daemon that made it
 * @param iteration after which it was taken
 */
public record BackupVersion(int block, Incarnation incarnation, long iteration) {
    private static final Comparator<BackupVersion> BY_AGE =
            Comparator.comparing(BackupVersion::incarnation).thenComparingLong(BackupVersion::iteration);

    /** Whether a copy that was found is this one, or a newer one. */
    public boolean isMetBy(BlockVersion version) {
        return BY_AGE.compare(this, new BackupVersion(block, version.incarnation(), version.iteration())) <= 0;
    }

    /** The newer one of two copies of a block. */
    public BackupVersion orNewer(BackupVersion other) {
        return BY_AGE.compare(this, other) >= 0 ? this : other;
    }
}
