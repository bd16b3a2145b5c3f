// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import java.time.Duration;

/**
 * What may be done when a daemon is lost.
 *
 * @param restartable a block may be restored alone while the others go on, as asynchronous iterations allow; else all roll back
 *     to the newest checkpoint that they have in common, or, if the problem has time steps, the job ends
 * @param blockAttempts on how many different daemons a block may fail without progress
 * @param patience how long a block may be without a daemon before the job ends
 */
public record RecoveryPolicy(boolean restartable, int blockAttempts, Duration patience) {

    /** Three attempts, ten minutes. */
    public static final RecoveryPolicy STANDARD = new RecoveryPolicy(true, 3, Duration.ofMinutes(10));

    public RecoveryPolicy {
        if (blockAttempts < 1 || patience.toNanos() <= 0) {
            throw new IllegalArgumentException(
                    "blockAttempts is " + blockAttempts + ", patience " + patience + "; both must be positive");
        }
    }

    /** This, with another number of attempts. */
    public RecoveryPolicy attempting(int newAttempts) {
        return new RecoveryPolicy(restartable, newAttempts, patience);
    }

    /** This, for blocks that cannot be restored alone. */
    public RecoveryPolicy allOrNothing() {
        return new RecoveryPolicy(false, blockAttempts, patience);
    }
}
