// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import java.time.Duration;

/**
 * Decides when a block starts that has lost its daemon: from its backup, or without it if the search takes too long. Without a
 * backup it has its initial values, the halos of its neighbors and, with time steps, the committed step: a legal asynchronous
 * iterate. The search goes on, and what it finds later is offered to the block. Pure; times are nanoseconds of any one clock.
 */
public final class RestoreDecision {

    /**
     * How long a block waits.
     *
     * @param known for a backup that exists or existed
     * @param unknown if it is unknown whether there is one
     */
    public record Patience(Duration known, Duration unknown) {}

    /** What to do with the block. */
    public enum Next {
        /** Nothing now. */
        WAIT,
        /** Open it from the backup that was found. */
        START,
        /** Open it without a backup. */
        START_WITHOUT,
        /** Offer it the backup that was found: it is open. */
        OFFER
    }

    private final long startAt;
    private boolean isStarted;

    /**
     * The search begins.
     *
     * @param isKnown a backup exists or existed
     */
    public RestoreDecision(boolean isKnown, Patience patience, long now) {
        this.startAt = now + (isKnown ? patience.known() : patience.unknown()).toNanos();
    }

    /** When the block starts at the latest. */
    public long startAt() {
        return startAt;
    }

    /** Time has passed. */
    public Next tick(long now) {
        if (isStarted || now < startAt) {
            return Next.WAIT;
        }
        isStarted = true;
        return Next.START_WITHOUT;
    }

    /** The search has ended. */
    public Next searched(boolean isFound) {
        if (isStarted) {
            return isFound ? Next.OFFER : Next.WAIT;
        }
        isStarted = true;
        return isFound ? Next.START : Next.START_WITHOUT;
    }
}
