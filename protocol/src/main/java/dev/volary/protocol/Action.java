// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import dev.volary.protocol.step.CommittedStep;
import java.util.List;
import java.util.Optional;

/** What a machine wants done. */
public sealed interface Action {

    /** Send a control message: reliably, in order on the link. */
    record Send(WorkerId to, Message message) implements Action {}

    /** Make this worker reachable: later sends name only its id. */
    record AddPeer(Member member) implements Action {}

    /** Ask the arbiter for its record. */
    record ReadArbiter() implements Action {}

    /** Ask the arbiter to replace {@code expected} by {@code next}. */
    record CompareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) implements Action {}

    /** Tell people: goes to the event log and the display. */
    record EmitEvent(JobEvent event) implements Action {}

    /** Open this worker's part of the checkpoint store, in the background; answered by {@link Event.BackupStoreOpened}. */
    record OpenBackupStore() implements Action {}

    /** Who keeps copies in the group now, this worker among them or not. */
    record UpdateHolders(List<BackupHolder> holders) implements Action {
        public UpdateHolders {
            holders = List.copyOf(holders);
        }
    }

    // ---- by daemons
    // --------------------------------------------------------------------------------------------------

    /** This daemon has a place in a group that computes, and nothing to compute: it gets ready for a block. Once. */
    record WarmUp() implements Action {}

    /** Open the block's data and state; answered by {@link Event.BlockOpened} or {@link Event.BlockFailed}. */
    record OpenBlock(int block, Incarnation incarnation) implements Action {}

    /**
     * As {@link OpenBlock} for a block that was served before: its newest backup is its state, if there is one. Answered by
     * {@link Event.BlockRestored} or {@link Event.BlockFailed}.
     *
     * @param known whoever finds this copy need hardly look for a newer one; nobody has heard of any if absent
     */
    record RestoreBlock(int block, Incarnation incarnation, Optional<BackupVersion> known) implements Action {}

    /**
     * Copy the block's state and the halos in use at the next iteration boundary, and put it into this backup slot. Answered
     * by {@link Event.BackedUp}, or by {@link Event.BackupFailed}.
     *
     * @param last the block does not iterate after this boundary
     */
    record BackUp(int block, Incarnation incarnation, int slot, boolean last) implements Action {}

    /**
     * Synchronous scheme: find what a block can be restored from, and keep it at hand. Answered by
     * {@link Event.GenerationsFound}.
     */
    record FindGenerations(int block, Incarnation incarnation) implements Action {}

    /**
     * Synchronous scheme: open a block whose generations were found, with this one as its state and the others forgotten;
     * from the start if there is none. Its iterations count on from there. Answered by {@link Event.BlockRestored} or
     * {@link Event.BlockFailed}.
     */
    record ResumeBlock(int block, Incarnation incarnation, Optional<CheckpointGeneration> from) implements Action {}

    /**
     * Synchronous scheme: copy the block's state after exactly this iteration, into this slot at all of its holders. Answered
     * by {@link Event.CheckpointTaken}, also if the block is past it.
     */
    record CheckpointBlock(int block, Incarnation incarnation, int slot, long iteration) implements Action {}

    /**
     * Verification tree: the block enters a phase ({@link dev.volary.protocol.detection.LocalConvergence#enter}). Answered by
     * {@link Event.PhaseElapsed}.
     */
    record BeginPhase(int block, Incarnation incarnation, int phase) implements Action {}

    /** Synchronous scheme: tell when the block has come to this iteration. Answered by {@link Event.StepTested}. */
    record TestStep(int block, Incarnation incarnation, long iteration) implements Action {}

    /** Synchronous scheme: a block that waits at its test after this iteration goes on. */
    record ReleaseBlock(int block, Incarnation incarnation, long iteration) implements Action {}

    /** The newest entry for an own or neighbouring block: its data are accepted from this incarnation on and sent there. */
    record RouteBlock(BlockAssignment entry) implements Action {}

    /** Send the newest halo of {@code from} to {@code to} now. */
    record PublishHalo(int from, int to) implements Action {}

    /** Send the halo of exactly this iteration again, if it is still kept. */
    record ResendHalo(int from, int to, int step, long iteration) implements Action {}

    /** Start iterating. */
    record StartBlock(int block, Incarnation incarnation) implements Action {}

    /** Stop iterating within one iteration and forget the block: another incarnation serves it. */
    record DropBlock(int block, Incarnation incarnation) implements Action {}

    /**
     * Copy the core at the next iteration boundary, keep it as this snapshot's record; newest snapshot only. A block that does
     * not iterate just now (not started, or waiting in the synchronous scheme) is at a boundary. Answered by
     * {@link Event.BlockRecorded}.
     */
    record RecordBlock(long sid, int block) implements Action {}

    /** Send the recorded values of {@code from} that {@code to} reads. */
    record SendRecordedHalo(long sid, int from, int to) implements Action {}

    /**
     * Evaluate the residual of the recorded block with exactly these recorded sources. Answered by
     * {@link Event.PartEvaluated}, or by {@link Event.RecordedHaloMissing} for each source whose slot holds something else.
     */
    record EvaluatePart(long sid, int block, List<RecordedBlock> used) implements Action {
        public EvaluatePart {
            used = List.copyOf(used);
        }
    }

    /** Write the recorded block to the result sink, durably. */
    record StorePart(long sid, int block) implements Action {}

    /**
     * End the block's step with these certified values, at the next iteration boundary and never beside an evaluation. A block
     * in an earlier step, whose state is older, comes to the step after this one too: the committed values are all that its
     * equations need. Answered by {@link Event.StepCommitted} or {@link Event.StepCommitFailed}.
     *
     * @param record names the parts of the block and of its sources; kept records serve as well as the result sink
     */
    record CommitStep(int block, Incarnation incarnation, CommittedStep record) implements Action {}

    /** Drop the record of this snapshot. */
    record DropRecord(long sid) implements Action {}

    /** Stop all computing of this worker. */
    record StopComputing() implements Action {}

    /** This worker was declared gone: end all that it does, then start as a new worker under a new identity. */
    record Restart() implements Action {}

    /** Everything is handed over: the process may end. */
    record Exit() implements Action {}

    // ---- by the lead
    // -------------------------------------------------------------------------------------------------

    /** The parts of snapshots before this one are of no use any more: the sink may remove them. */
    record DeleteParts(long before) implements Action {}

    /**
     * The parts of this snapshot are durable: make it the newest checkpoint on the volume. Answered by
     * {@link Event.CheckpointSaved} or {@link Event.CheckpointFailed}.
     *
     * @param record of step 0 for a stationary problem, else a committed step's
     */
    record SaveCheckpoint(CommittedStep record) implements Action {}

    /**
     * Put the result together from its durable parts. Answered by {@link Event.ResultAssembled}, {@link Event.PartsMissing} or
     * {@link Event.AssemblyFailed}.
     *
     * @param certified the residual is within the tolerance, and so was that of every step before
     * @param step whose result it is; 0 for a stationary problem
     */
    record AssembleResult(long sid, double residual, boolean certified, int step, List<Message.StoredPart> parts)
            implements Action {
        public AssembleResult {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Copy the complete result of this snapshot to another spawner, which makes it durable before it answers. Answered by
     * {@link Event.ResultCopied} or {@link Event.ResultCopyFailed}.
     */
    record CopyResult(long sid, Member to) implements Action {}

    /** The job is over. */
    record Finish(JobOutcome outcome) implements Action {}
}
