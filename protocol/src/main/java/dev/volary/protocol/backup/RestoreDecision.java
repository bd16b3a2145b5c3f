// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Decides when a block starts that has lost its daemon: from its backup, or without it if the search takes too long. Without a
 * backup it has its initial values, the halos of its neighbors and, with time steps, the committed step: a legal asynchronous
 * iterate. The search goes on, and what it finds later is offered to the block. If a known backup is not found, the
 * daemon searches again: it may have just joined, and not know the holders yet. In lock-step blocks count their iterations together, so
 * a late backup has no place: such a block waits for the one search. Pure; times are nanoseconds of any one clock.
 */
public final class RestoreDecision {

    /**
     * How long a block waits.
     *
     * @param known for a backup that exists or existed
     * @param unknown if it is unknown whether there is one
     * @param again until a known backup that was not found is searched for again
     * @param atMost how long it is searched for in all
     */
    public record Patience(Duration known, Duration unknown, Duration again, Duration atMost) {}

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

    private final OptionalLong startAt;
    private final long again;
    private final long searchUntil;
    private boolean isStarted;

    /**
     * The search begins.
     *
     * @param isKnown a backup exists or existed
     */
    public RestoreDecision(Scheme scheme, boolean isKnown, Patience patience, long now) {
        boolean isLockStep = scheme == Scheme.SYNCHRONOUS;
        Duration patienceNow = isKnown ? patience.known() : patience.unknown();
        this.startAt = isLockStep ? OptionalLong.empty() : OptionalLong.of(now + patienceNow.toNanos());
        this.again = patience.again().toNanos();
        this.searchUntil = isKnown && !isLockStep ? now + patience.atMost().toNanos() : now;
    }

    /** When the block starts at the latest; empty if it waits for the search. */
    public OptionalLong startAt() {
        return startAt;
    }

    /** Time has passed. */
    public Next tick(long now) {
        if (isStarted || startAt.isEmpty() || now < startAt.getAsLong()) {
            return Next.WAIT;
        }
        isStarted = true;
        return Next.START_WITHOUT;
    }

    /** When to search again after a search that found nothing; never if it is empty. */
    public OptionalLong searchAgainAt(long now) {
        return now + again <= searchUntil ? OptionalLong.of(now + again) : OptionalLong.empty();
    }

    /** A search has ended. */
    public Next searched(boolean isFound) {
        if (isStarted) {
            return isFound ? Next.OFFER : Next.WAIT;
        }
        isStarted = true;
        return isFound ? Next.START : Next.START_WITHOUT;
    }
}
