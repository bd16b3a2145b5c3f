// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import java.util.List;
import java.util.Optional;

/** What a daemon's machine wants done. */
public sealed interface DaemonAction extends Action
        permits DaemonAction.WarmUp,
                DaemonAction.OpenBlock,
                DaemonAction.RestoreBlock,
                DaemonAction.BackUp,
                DaemonAction.FindGenerations,
                DaemonAction.ResumeBlock,
                DaemonAction.CheckpointBlock,
                DaemonAction.BeginPhase,
                DaemonAction.TestStep,
                DaemonAction.ReleaseBlock,
                DaemonAction.RouteBlock,
                DaemonAction.PublishHalo,
                DaemonAction.ResendHalo,
                DaemonAction.StartBlock,
                DaemonAction.DropBlock,
                DaemonAction.RecordBlock,
                DaemonAction.SendRecordedHalo,
                DaemonAction.EvaluatePart,
                DaemonAction.StorePart,
                DaemonAction.CommitStep,
                DaemonAction.DropRecord,
                DaemonAction.StopComputing,
                DaemonAction.Exit,
                WorkerAction {

    /** This daemon has a place in a group that computes, and nothing to compute: it gets ready for a block. Once. */
    record WarmUp() implements DaemonAction {}

    /** Open the block's data and state; answered by {@link DaemonEvent.BlockOpened} or {@link DaemonEvent.BlockFailed}. */
    record OpenBlock(int block, Incarnation incarnation) implements DaemonAction {}

    /**
     * As {@link OpenBlock} for a block that was served before: its newest backup is its state, if there is one. Answered by
     * {@link DaemonEvent.BlockRestored} or {@link DaemonEvent.BlockFailed}.
     *
     * @param known the newest known backup: after it is found, the search for a newer one is short. Absent if none is known
     */
    record RestoreBlock(int block, Incarnation incarnation, Optional<BackupVersion> known) implements DaemonAction {}

    /**
     * Copy the block's state and the halos in use at the next iteration boundary, and put it into this backup slot. Answered
     * by {@link DaemonEvent.BackedUp}, or by {@link DaemonEvent.BackupFailed}.
     *
     * @param last the block does not iterate after this boundary
     */
    record BackUp(int block, Incarnation incarnation, int slot, boolean last) implements DaemonAction {}

    /**
     * Synchronous scheme: find what a block can be restored from, and keep it at hand. Answered by
     * {@link DaemonEvent.GenerationsFound}.
     */
    record FindGenerations(int block, Incarnation incarnation) implements DaemonAction {}

    /**
     * Synchronous scheme: open a block whose generations were found, with this one as its state and the others forgotten;
     * from the start if there is none. Its iterations count on from there. Answered by {@link DaemonEvent.BlockRestored} or
     * {@link DaemonEvent.BlockFailed}.
     */
    record ResumeBlock(int block, Incarnation incarnation, Optional<CheckpointGeneration> from)
            implements DaemonAction {}

    /**
     * Synchronous scheme: copy the block's state after exactly this iteration, into this slot at all of its holders. Answered
     * by {@link DaemonEvent.CheckpointTaken}, also if the block is past it.
     */
    record CheckpointBlock(int block, Incarnation incarnation, int slot, long iteration) implements DaemonAction {}

    /**
     * Verification tree: the block enters a phase ({@link dev.volary.protocol.convergence.LocalConvergence#enter}). Answered by
     * {@link DaemonEvent.PhaseElapsed}.
     */
    record BeginPhase(int block, Incarnation incarnation, int phase) implements DaemonAction {}

    /** Synchronous scheme: report when the block has reached this iteration. Answered by {@link DaemonEvent.StepTested}. */
    record TestStep(int block, Incarnation incarnation, long iteration) implements DaemonAction {}

    /** Synchronous scheme: a block that waits at its test after this iteration goes on. */
    record ReleaseBlock(int block, Incarnation incarnation, long iteration) implements DaemonAction {}

    /** The newest entry for an own or neighboring block: its data are accepted from this incarnation on and sent there. */
    record RouteBlock(BlockAssignment entry) implements DaemonAction {}

    /** Send the newest halo of {@code from} to {@code to} now. */
    record PublishHalo(int from, int to) implements DaemonAction {}

    /** Send the halo of exactly this iteration again, if it is still kept. */
    record ResendHalo(int from, int to, int step, long iteration) implements DaemonAction {}

    /** Start iterating. */
    record StartBlock(int block, Incarnation incarnation) implements DaemonAction {}

    /**
     * Stop iterating within one iteration and forget the block: another incarnation serves it.
     *
     * @param leavesBackup what was backed up last stays here as a copy for others, until the new owner has copies of its own; not in
     *     lock-step, where the block goes back to what this worker has written
     */
    record DropBlock(int block, Incarnation incarnation, boolean leavesBackup) implements DaemonAction {}

    /**
     * Copy the core at the next iteration boundary, keep it as this snapshot's record; newest snapshot only. A block that does
     * not iterate just now (not started, or waiting in the synchronous scheme) is at a boundary. Answered by
     * {@link DaemonEvent.BlockRecorded}.
     */
    record RecordBlock(long sid, int block) implements DaemonAction {}

    /** Send the recorded values of {@code from} that {@code to} reads. */
    record SendRecordedHalo(long sid, int from, int to) implements DaemonAction {}

    /**
     * Evaluate the residual of the recorded block with exactly these recorded sources. Answered by
     * {@link DaemonEvent.PartEvaluated}, or by {@link DaemonEvent.RecordedHaloMissing} for each source whose slot holds something else.
     */
    record EvaluatePart(long sid, int block, List<RecordedBlock> used) implements DaemonAction {
        public EvaluatePart {
            used = List.copyOf(used);
        }
    }

    /** Write the recorded block to the result sink, durably. */
    record StorePart(long sid, int block) implements DaemonAction {}

    /**
     * End the block's step with these certified values, at the next iteration boundary and never beside an evaluation. A block
     * in an earlier step, whose state is older, comes to the step after this one too: the committed values are all that its
     * equations need. Answered by {@link DaemonEvent.StepCommitted} or {@link DaemonEvent.StepCommitFailed}.
     *
     * @param record names the parts of the block and of its sources; kept records serve as well as the result sink
     */
    record CommitStep(int block, Incarnation incarnation, CommittedStep record) implements DaemonAction {}

    /**
     * Drop the record of this snapshot.
     *
     * @param isRefused its vector is not certified, so blocks at rest go on
     */
    record DropRecord(long sid, boolean isRefused) implements DaemonAction {}

    /** Stop all computing of this worker. */
    record StopComputing() implements DaemonAction {}

    /** Everything is handed over: the process may end. */
    record Exit() implements DaemonAction {}
}
