// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;

/** What happens to a spawner's machine. */
public sealed interface SpawnerEvent
        permits SpawnerEvent.Received,
                SpawnerEvent.ArbiterAnswered,
                SpawnerEvent.RequestEvent,
                SpawnerEvent.CheckpointEvent,
                SpawnerEvent.PartEvent,
                SpawnerEvent.ResultEvent,
                WorkerEvent {

    /** A control message arrived. */
    record Received(WorkerId from, ToSpawner message) implements SpawnerEvent {}

    /** The arbiter's record as it is now, after a read or a compare-and-set of ours that won or lost. */
    record ArbiterAnswered(LeaderElectionRecord record) implements SpawnerEvent {}

    /** What people ask of the job. */
    sealed interface RequestEvent extends SpawnerEvent {}

    /** A user requests the residual now: take a snapshot as soon as possible. */
    record SnapshotRequested() implements RequestEvent {}

    /** The job is scaled: its blocks are to be distributed over this many daemons, at least one, as far as they are there. */
    record ScaleRequested(int daemons) implements RequestEvent {
        public ScaleRequested {
            if (daemons < 1) {
                throw new IllegalArgumentException("daemons is " + daemons + ", must be positive");
            }
        }
    }

    /** Whoever runs the job reports its active time: since it was created, suspensions not counted. */
    record ActiveFor(Duration time) implements RequestEvent {}

    /** What becomes of checkpoints on the volume. */
    sealed interface CheckpointEvent extends SpawnerEvent {}

    /** The job goes on from a checkpoint in which this step was committed, and whose parts can be read. */
    record CheckpointFound(CommittedStep record) implements CheckpointEvent {}

    /** The checkpoint that the job shall go on from cannot be had; it ends, unless it computes already. */
    record CheckpointRefused(String reason) implements CheckpointEvent {}

    /** A checkpoint is durable. */
    record CheckpointSaved(long sid, int step, double residual) implements CheckpointEvent {}

    /** A checkpoint could not be made durable. */
    record CheckpointFailed(long sid, String reason) implements CheckpointEvent {}

    /** What becomes of recorded parts, at the leader. */
    sealed interface PartEvent extends SpawnerEvent {}

    /** A spawner holds all parts of a snapshot, durably. */
    record PartsHeld(long sid, WorkerId by) implements PartEvent {}

    /** A spawner lacks parts of a snapshot, and cannot copy them now. */
    record PartsNotHeld(long sid, WorkerId by, String reason) implements PartEvent {}

    /** What becomes of the result, at the leader. */
    sealed interface ResultEvent extends SpawnerEvent {}

    /** The vector of an output step was put together from its parts, and outlives this spawner. */
    record StepAssembled(int step) implements ResultEvent {}

    /** The vector of an output step cannot be brought now to the storage that the job names. */
    record StepNotKept(int step, String reason) implements ResultEvent {}

    /** The result was put together from its parts and is complete. */
    record ResultAssembled(long sid) implements ResultEvent {}

    /** The result, or an output step, cannot be written here, though its parts are there. */
    record AssemblyFailed(String reason) implements ResultEvent {}

    /** Parts of the result are lost, or damaged, wherever they were stored. */
    record PartsMissing(long sid, String reason) implements ResultEvent {}

    /** A second spawner holds the complete result, durably. */
    record ResultCopied(long sid, WorkerId to) implements ResultEvent {}

    /** The result could not be copied to this spawner. */
    record ResultCopyFailed(long sid, WorkerId to, String reason) implements ResultEvent {}

    /**
     * The complete result is durable in the storage that the job names.
     *
     * @param location where users find it
     */
    record ResultPublished(long sid, String location) implements ResultEvent {}

    /** The result could not be brought to the storage that the job names. */
    record PublicationFailed(long sid, String reason) implements ResultEvent {}
}
