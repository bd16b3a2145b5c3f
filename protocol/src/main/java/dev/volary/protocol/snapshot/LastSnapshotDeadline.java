// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.message.KeptAnswer;
import java.time.Duration;
import java.util.Optional;

/**
 * Bounds the time that the last snapshot may take after the job's deadline, and decides with what the job ends: with the last
 * snapshot, unless the {@link BestAnswer} has a smaller residual. For the first half of the bound the last snapshot may close.
 * From then on the best answer is delivered without it, if there is one; at the end of the bound the job ends in any case.
 */
final class LastSnapshotDeadline {
    private final long boundNanos;
    private final BestAnswer best;
    private boolean hasPassed;

    /** From then on a kept answer is better than the last snapshot, which does not close. */
    private long patientUntil = Long.MAX_VALUE;

    private long endAt = Long.MAX_VALUE;

    /** @param bound longest time of the last snapshot after the deadline */
    LastSnapshotDeadline(Duration bound, BestAnswer best) {
        this.boundNanos = bound.toNanos();
        this.best = best;
    }

    /** The deadline has come: the bound begins. */
    void pass(long now) {
        hasPassed = true;
        patientUntil = now + boundNanos / 2;
        endAt = now + boundNanos;
    }

    /** Whether the deadline has come, so that the open snapshot, or the next one, is the last. */
    boolean hasPassed() {
        return hasPassed;
    }

    /** What is delivered instead of a snapshot that has closed with this residual, above the tolerance. */
    Optional<KeptAnswer> insteadOf(double residual) {
        return hasPassed ? best.below(residual) : Optional.empty();
    }

    /** What is delivered instead of a last snapshot that has not closed until now. */
    Optional<KeptAnswer> insteadOfWaiting(long now) {
        return now >= patientUntil ? best.newest() : Optional.empty();
    }

    /** Whether the bound is over, so that the job ends. */
    boolean isBoundOver(long now) {
        return now >= endAt;
    }

    /** When one of the answers above changes next; {@link Long#MAX_VALUE} before the deadline. */
    long wakeUp(long now) {
        return now < patientUntil ? patientUntil : endAt;
    }
}
