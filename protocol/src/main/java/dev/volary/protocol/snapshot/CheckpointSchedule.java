// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

/**
 * Decides which snapshots above the tolerance are stored as checkpoints. One that was requested is. Without a request the next
 * one waits, after a checkpoint that took long to store, until storing takes a small share of the time only: blocks that write
 * to a slow volume must not hold up the job.
 */
final class CheckpointSchedule {
    /** Storing checkpoints that were not requested may take one part in this many of the time. */
    private static final long TIME_SHARE = 20;

    private final boolean enabled;
    private boolean requested;
    private boolean saving;
    private long savingSince;
    private long dueAt = Long.MIN_VALUE;

    /** @param enabled whether snapshots become checkpoints at all */
    CheckpointSchedule(boolean enabled) {
        this.enabled = enabled;
    }

    /** The next snapshot shall become a checkpoint. */
    void request() {
        requested = true;
    }

    /** Whether a snapshot that has closed now is to be saved. */
    boolean isDue(long now) {
        return enabled && (requested || now >= dueAt);
    }

    /** A closed snapshot is stored as a checkpoint, and does not end the job. */
    void begin(long now) {
        saving = true;
        savingSince = now;
    }

    /** Whether the snapshot that is stored now is a checkpoint only. */
    boolean isSaving() {
        return saving;
    }

    /** The checkpoint is stored. */
    void saved(long now) {
        requested = false;
        failed(now);
    }

    /** The checkpoint could not be stored; a request stays open. */
    void failed(long now) {
        dueAt = now + TIME_SHARE * (now - savingSince);
        saving = false;
    }

    /** The snapshot is given up. */
    void abandon() {
        saving = false;
    }
}
