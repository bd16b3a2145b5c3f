// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.OptionalLong;

/** What a spawner's machine wants done; most of it only while the spawner leads. */
public sealed interface SpawnerAction extends Action
        permits SpawnerAction.ReadArbiter,
                SpawnerAction.CompareAndSet,
                SpawnerAction.EmitEvent,
                SpawnerAction.DeleteParts,
                SpawnerAction.HoldParts,
                SpawnerAction.SaveCheckpoint,
                SpawnerAction.AssembleStep,
                SpawnerAction.AssembleResult,
                SpawnerAction.CopyResult,
                SpawnerAction.PublishResult,
                SpawnerAction.Finish,
                WorkerAction {

    /** Ask the arbiter for its record. */
    record ReadArbiter() implements SpawnerAction {}

    /** Ask the arbiter to replace {@code expected} by {@code next}. */
    record CompareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) implements SpawnerAction {}

    /** Report an event to users: goes to the event log and the display. */
    record EmitEvent(JobEvent event) implements SpawnerAction {}

    /** The parts of snapshots before this one are of no use any more: the sink may remove them. */
    record DeleteParts(long before) implements SpawnerAction {}

    /**
     * See to it that a spawner, this one or another, holds these parts of a snapshot: it copies those that it lacks from spawners that
     * have them. Answered by {@link SpawnerEvent.PartsHeld} or {@link SpawnerEvent.PartsNotHeld}.
     */
    record HoldParts(long sid, List<SnapshotMessage.StoredPart> parts, Member by) implements SpawnerAction {
        public HoldParts {
            parts = List.copyOf(parts);
        }
    }

    /**
     * The parts of this snapshot are durable: make it the newest checkpoint on the volume. Answered by
     * {@link SpawnerEvent.CheckpointSaved} or {@link SpawnerEvent.CheckpointFailed}.
     *
     * @param record of step 0 for a stationary problem, else a committed step's
     * @param kept the snapshot whose parts stay, though no checkpoint needs them: the job may end with it
     */
    record SaveCheckpoint(CommittedStep record, OptionalLong kept) implements SpawnerAction {}

    /**
     * The result has the vector of this step: put it together from its durable parts, and keep it for {@link AssembleResult}, whichever
     * leader that is. If the job names storage for its result, it is brought there. Answered by {@link SpawnerEvent.StepAssembled},
     * {@link SpawnerEvent.StepNotKept} or {@link SpawnerEvent.AssemblyFailed}. It may be wanted again, by this leader or another one.
     */
    record AssembleStep(CommittedStep record) implements SpawnerAction {}

    /**
     * Put the result together from its durable parts. Answered by {@link SpawnerEvent.ResultAssembled}, {@link SpawnerEvent.PartsMissing} or
     * {@link SpawnerEvent.AssemblyFailed}.
     *
     * @param certified the residual is within the tolerance, and so was that of every step before
     * @param step whose result it is; 0 for a stationary problem
     * @param iterations of a block on average, when the vector was recorded
     */
    record AssembleResult(
            long sid,
            double residual,
            boolean certified,
            int step,
            long iterations,
            List<SnapshotMessage.StoredPart> parts)
            implements SpawnerAction {
        public AssembleResult {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Copy the complete result of this snapshot to another spawner, which makes it durable before it answers. Answered by
     * {@link SpawnerEvent.ResultCopied} or {@link SpawnerEvent.ResultCopyFailed}.
     */
    record CopyResult(long sid, Member to) implements SpawnerAction {}

    /**
     * Bring the complete result of this snapshot to the storage that the job names, outside of its workers. Answered by
     * {@link SpawnerEvent.ResultPublished} or {@link SpawnerEvent.PublicationFailed}.
     */
    record PublishResult(long sid) implements SpawnerAction {}

    /** The job is over. */
    record Finish(JobOutcome outcome) implements SpawnerAction {}
}
