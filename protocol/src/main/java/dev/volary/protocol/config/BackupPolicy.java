// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import java.time.Duration;
import java.util.Optional;

/**
 * When blocks are backed up, and where to (docs/explanation/backups-and-checkpoints.md, "how often"): every so many iterations,
 * into the next slot in turn.
 *
 * @param every iterations between two backups of a block; 0 for none but the last of a daemon that leaves. Measurements may
 *     change it ({@link dev.volary.protocol.machine.DaemonEvent.BackupIntervalChanged})
 * @param slots copies of different age
 * @param openAfter time from the first iteration to the opening of the store; none if it needs no opening
 */
public record BackupPolicy(long every, int slots, Optional<Duration> openAfter) {
    /**
     * Blocks of a daemon that are backed up at the same time, at most: each copy on its way takes the memory of several states. One
     * whose holder does not answer must not hold up all others.
     */
    public static final int AT_ONCE = 2;

    /** No backups but those of a daemon that leaves. */
    public static final BackupPolicy NONE = new BackupPolicy(0, 1);

    public BackupPolicy {
        if (every < 0 || slots < 1) {
            throw new IllegalArgumentException(
                    "every is " + every + ", must not be negative; slots is " + slots + ", must be positive");
        }
    }

    /** Into a store that is open. */
    public BackupPolicy(long every, int slots) {
        this(every, slots, Optional.empty());
    }

    /** This, with the store opened so long after the first iteration. */
    public BackupPolicy opening(Duration after) {
        return new BackupPolicy(every, slots, Optional.of(after));
    }
}
