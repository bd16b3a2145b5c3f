// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.KeptAnswer;

/**
 * Decides which snapshots that do not end the job are stored: as a checkpoint ({@link CheckpointSchedule}), as the
 * {@link BestAnswer}, or as both with one store. Without a storage of snapshots there are no checkpoints. With time steps, the
 * committed steps are the checkpoints.
 */
final class IntermediateSnapshots {
    private final boolean hasCheckpoints;
    private final boolean hasTimeSteps;
    private final CheckpointSchedule checkpoints;
    private final BestAnswer best;

    IntermediateSnapshots(SnapshotConfig config, boolean hasTimeSteps, BestAnswer best) {
        this.hasCheckpoints = config.kept();
        this.hasTimeSteps = hasTimeSteps;
        this.checkpoints = new CheckpointSchedule(hasCheckpoints && !hasTimeSteps);
        this.best = best;
    }

    /** The next snapshot shall become a checkpoint. */
    void requestCheckpoint() {
        checkpoints.request();
    }

    /** A snapshot has closed and does not end the job; returns whether it is to be stored. */
    boolean closed(double residual, long now) {
        if (checkpoints.isDue(now)) {
            checkpoints.begin(now);
        }
        if (best.isDue(residual, now)) {
            best.begin(now);
        }
        return isStoring();
    }

    /** Whether the snapshot that is stored now does not end the job. */
    boolean isStoring() {
        return checkpoints.isSaving() || best.isSaving();
    }

    /**
     * All parts of a snapshot are stored. That of a stationary problem becomes a checkpoint, even if it ends the job.
     *
     * @return whether the job goes on
     */
    boolean stored(KeptAnswer answer, SpawnerTurn turn) {
        if (!hasTimeSteps) {
            saveCheckpoint(new CommittedStep(0, answer.sid(), answer.residual(), answer.parts()), turn);
        }
        boolean goesOn = isStoring();
        if (best.isSaving()) {
            best.stored(answer, turn.now());
        }
        if (checkpoints.isSaving()) {
            checkpoints.saved(turn.now());
        }
        return goesOn;
    }

    /** A time step is committed, or its checkpoint is requested once more. */
    void committed(CommittedStep record, SpawnerTurn turn) {
        saveCheckpoint(record, turn);
    }

    private void saveCheckpoint(CommittedStep record, SpawnerTurn turn) {
        if (hasCheckpoints) {
            turn.add(new SpawnerAction.SaveCheckpoint(record, best.loggedSid()));
        }
    }

    /** A part of the snapshot cannot be stored: the job goes on without it. */
    void storeFailed(long sid, String reason, SpawnerTurn turn) {
        if (checkpoints.isSaving()) {
            turn.emit(new JobEvent.CheckpointFailed(sid, reason));
            checkpoints.failed(turn.now());
        }
        if (best.isSaving()) {
            best.failed(turn.now());
        }
    }

    /** The snapshot is given up. */
    void abandon() {
        checkpoints.abandon();
        best.abandon();
    }
}
