// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What happens to a daemon's machine. */
public sealed interface DaemonEvent
        permits DaemonEvent.Received,
                DaemonEvent.ShutdownRequested,
                DaemonEvent.BlockEvent,
                DaemonEvent.BackupEvent,
                DaemonEvent.RollbackEvent,
                DaemonEvent.DetectionEvent,
                DaemonEvent.SnapshotEvent,
                WorkerEvent {

    /** A control message arrived. */
    record Received(WorkerId from, ToDaemon message) implements DaemonEvent {}

    /** The process was asked to end soon. */
    record ShutdownRequested() implements DaemonEvent {}

    /** What happens to a block of this daemon, and to the halos that it reads. */
    sealed interface BlockEvent extends DaemonEvent {}

    /**
     * A block is open: its data are there and its state is set.
     *
     * @param step it is in, from 1; 0 for a stationary problem
     */
    record BlockOpened(int block, Incarnation incarnation, int step) implements BlockEvent {}

    /**
     * A block is open again.
     *
     * @param iteration of the backup that is its state now; none if there was no backup, so it begins from the start
     * @param step it is in, from 1; 0 for a stationary problem
     */
    record BlockRestored(int block, Incarnation incarnation, OptionalLong iteration, int step) implements BlockEvent {}

    /**
     * A block has taken a commit, or a late backup of a later step.
     *
     * @param step it is in now
     */
    record StepCommitted(int block, Incarnation incarnation, int step) implements BlockEvent {}

    /**
     * The certified values of this step, which the block shall commit, could not be had.
     *
     * @param isSearched the block's backup is still searched for, and may hold the step
     */
    record StepCommitFailed(int block, Incarnation incarnation, int step, boolean isSearched, String reason)
            implements BlockEvent {}

    /** A block cannot be opened, or computed a value that is no number. */
    record BlockFailed(int block, Incarnation incarnation, String reason) implements BlockEvent {}

    /** The first halo from {@code from} for {@code to} is in its slot. */
    record HaloArrived(int from, int to) implements BlockEvent {}

    /** Synchronous scheme: the halo of this iteration is overdue ({@link dev.volary.protocol.halo.LockStepHalos#overdue}). */
    record HaloOverdue(int from, int to, int step, long iteration) implements BlockEvent {}

    /**
     * Data arrived under an incarnation older than known: its sender must be fenced.
     *
     * @param newest that data came from; {@code incarnation} if only the directory knows of a newer one
     */
    record StaleHaloArrived(int block, Incarnation incarnation, Incarnation newest, WorkerId sender)
            implements BlockEvent {}

    /**
     * A sample of all open blocks, taken at a fixed rate.
     *
     * @param waiting those that have reason to stand still: they rest, or wait for their lock step
     */
    record ProgressSampled(List<ProgressMessage.BlockProgress> blocks, Set<Integer> waiting) implements BlockEvent {
        public ProgressSampled {
            blocks = List.copyOf(blocks);
            waiting = Set.copyOf(waiting);
        }
    }

    /** What becomes of backups. */
    sealed interface BackupEvent extends DaemonEvent {}

    /** A backup is durable on its holder. */
    record BackedUp(int block, Incarnation incarnation, int slot, long iteration) implements BackupEvent {}

    /** A backup could not be stored. */
    record BackupFailed(int block, Incarnation incarnation, int slot, String reason) implements BackupEvent {}

    /**
     * A new measurement of how often backups are worth their cost.
     *
     * @param every iterations between two backups of a block; 0 for none
     */
    record BackupIntervalChanged(long every) implements BackupEvent {}

    /** This standby is warmed up: it has found backups with their holders, as it must when it gets a block. */
    record WarmupFinished() implements BackupEvent {}

    /** Answers about coordinated checkpoints (synchronous scheme). */
    sealed interface RollbackEvent extends DaemonEvent {}

    /** Checkpoints that a block can be restored from, at hand until one of them is chosen. */
    record GenerationsFound(int block, Incarnation incarnation, List<CheckpointGeneration> generations)
            implements RollbackEvent {
        public GenerationsFound {
            generations = List.copyOf(generations);
        }
    }

    /**
     * A checkpoint of a block was taken.
     *
     * @param stored it is durable on all of its holders; else there is none of that iteration
     */
    record CheckpointTaken(int block, Incarnation incarnation, long iteration, boolean stored)
            implements RollbackEvent {}

    /** How blocks pass the tests of a convergence detector. */
    sealed interface DetectionEvent extends DaemonEvent {}

    /** How a block's pseudo-period went ({@link dev.volary.protocol.convergence.LocalConvergence#iterated}). */
    record PhaseElapsed(int block, Incarnation incarnation, int phase, boolean passed) implements DetectionEvent {}

    /**
     * A block has come to an iteration.
     *
     * @param passed it is one after which blocks are tested, the block's hint is small there, and it waits
     * @param asked this answers {@link DaemonAction.TestStep}
     */
    record StepTested(int block, Incarnation incarnation, long iteration, boolean passed, boolean asked)
            implements DetectionEvent {}

    /** How recording, evaluating and storing for a snapshot goes. */
    sealed interface SnapshotEvent extends DaemonEvent {}

    /**
     * The block's core was copied at an iteration boundary.
     *
     * @param iteration how many iterations the block had completed
     */
    record BlockRecorded(long sid, RecordedBlock own, long iteration) implements SnapshotEvent {}

    /**
     * The recorded values of {@code source}, read by {@code to}, arrived.
     *
     * @param step in which they were recorded
     */
    record RecordedHaloArrived(int step, long sid, RecordedBlock source, int to) implements SnapshotEvent {}

    /**
     * {@link DaemonAction.EvaluatePart} named recorded values of {@code source} that are not in their slot (any more), so nothing was
     * evaluated: they are asked for again.
     */
    record RecordedHaloMissing(long sid, RecordedBlock source, int to) implements SnapshotEvent {}

    /** The residual of a recorded block was evaluated with exactly {@code used}. */
    record PartEvaluated(
            long sid, RecordedBlock own, List<RecordedBlock> used, PartialResidual residual, long costNanos)
            implements SnapshotEvent {
        public PartEvaluated {
            used = List.copyOf(used);
        }
    }

    /** A recorded part is durable in the result sink. */
    record PartStored(long sid, RecordedBlock own, int checksum) implements SnapshotEvent {}

    /**
     * A recorded part could not be stored.
     *
     * @param isTemporary whether nothing refused it: no spawner took it in time
     */
    record StoreFailed(long sid, int block, String reason, boolean isTemporary) implements SnapshotEvent {}
}
