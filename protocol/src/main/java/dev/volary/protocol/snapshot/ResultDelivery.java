// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import java.util.OptionalLong;

/**
 * The way of a result from the verdict to its delivery: it is assembled from the stored parts, copied to another spawner if it
 * must survive the leader, and brought to the storage that the job names, if it names any. If parts are lost before it is complete, the verdict is withdrawn: a verdict whose result cannot
 * be delivered is worth less than another snapshot.
 */
final class ResultDelivery {
    private enum Phase {
        /** There is no verdict, or the job is over. */
        NONE,
        ASSEMBLING,
        /** The result is complete here, and is being copied to another spawner. */
        COPYING,
        /** The result is complete here, and is being brought to the storage that the job names. */
        PUBLISHING,
        /** Parts of the result are lost: the next snapshot opens once the log says so. */
        WITHDRAWING
    }

    private final boolean publishes;
    private Phase phase = Phase.NONE;
    private long sid;

    /** @param publishes whether the job names storage that the result is brought to */
    ResultDelivery(boolean publishes) {
        this.publishes = publishes;
    }

    /** All parts of this snapshot are durable, and its result is put together. */
    void begin(long ofVerdict) {
        sid = ofVerdict;
        phase = Phase.ASSEMBLING;
    }

    /**
     * A result is complete in this spawner.
     *
     * @param copies whether another spawner must hold it too
     * @return whether it may be delivered now
     */
    boolean assembled(long of, boolean copies) {
        if (phase != Phase.ASSEMBLING || of != sid) {
            return false;
        }
        if (copies) {
            phase = Phase.COPYING;
            return false;
        }
        return complete();
    }

    /** Nothing is left to be done here; returns whether the result may be delivered now. */
    private boolean complete() {
        if (publishes) {
            phase = Phase.PUBLISHING;
        }
        return !publishes;
    }

    /**
     * The result is copied, or no spawner takes a copy.
     *
     * @return whether it may be delivered now
     */
    boolean copied() {
        return isCopying() && complete();
    }

    /** Whether the result is being brought to the storage that the job names. */
    boolean isPublishing() {
        return phase == Phase.PUBLISHING;
    }

    /** The snapshot whose complete result must be brought to the storage that the job names, if there is one. */
    OptionalLong snapshotToPublish() {
        return isPublishing() ? OptionalLong.of(sid) : OptionalLong.empty();
    }

    /** Whether the result is complete, so that the blocks are not needed any more. */
    boolean hasResult() {
        return isCopying() || isPublishing();
    }

    /** Whether a complete result waits for its copy. */
    boolean isCopying() {
        return phase == Phase.COPYING;
    }

    /** The snapshot whose complete result needs a copy in another spawner, if there is one. */
    OptionalLong snapshotToCopy() {
        return isCopying() ? OptionalLong.of(sid) : OptionalLong.empty();
    }

    /**
     * Parts of a result are lost before it is complete.
     *
     * @return whether the verdict must be withdrawn
     */
    boolean partsMissing(long of) {
        boolean lost = phase == Phase.ASSEMBLING && of == sid;
        if (lost) {
            phase = Phase.WITHDRAWING;
        }
        return lost;
    }

    /** Whether the verdict is about to be withdrawn. */
    boolean isWithdrawing() {
        return phase == Phase.WITHDRAWING;
    }

    /** The result is delivered, or will never be. */
    void end() {
        phase = Phase.NONE;
    }
}
