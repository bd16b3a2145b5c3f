// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import dev.volary.protocol.step.CommittedStep;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What happens to a machine. */
public sealed interface Event {

    /** A control message arrived. */
    record Received(WorkerId from, Message message) implements Event {}

    /** Time has passed; given at least every {@link Turn#wakeUp()} and whenever it suits. */
    record Tick() implements Event {}

    /** The spawners that can be reached, from the job's discovery (headless Service, or the parent process). */
    record SpawnersFound(List<Member> spawners) implements Event {
        public SpawnersFound {
            spawners = List.copyOf(spawners);
        }
    }

    /** The arbiter's record as it is now, after a read or a compare-and-set of ours that won or lost. */
    record ArbiterAnswered(LeaderElectionRecord record) implements Event {}

    /**
     * An acknowledgement arrived: the peer lives, and has received what was sent to it until then.
     *
     * @param sentAt when the newest acknowledged message was sent, by the machine's clock
     */
    record Acknowledged(WorkerId peer, long sentAt) implements Event {}

    /** Nobody listens where this worker was: its process has probably ended. */
    record ConnectionReset(WorkerId peer) implements Event {}

    /** The failure detector's verdicts; those of one window come as one batch, and may be wrong. */
    record Verdicts(List<FailureVerdict> lost) implements Event {
        public Verdicts {
            lost = List.copyOf(lost);
        }
    }

    /** The platform says that this worker is gone: a hint, not a verdict. */
    record PlatformHint(WorkerId peer) implements Event {}

    /** This worker can keep copies for others. */
    record BackupStoreOpened(BackupHolder self) implements Event {}

    /** This standby has found blocks with their holders, as it will have to when it gets one. */
    record WarmupFinished() implements Event {}

    // ---- to daemons
    // --------------------------------------------------------------------------------------------------

    /**
     * A block is open: its data are there and its state is set.
     *
     * @param step it is in, from 1; 0 for a stationary problem
     */
    record BlockOpened(int block, Incarnation incarnation, int step) implements Event {}

    /**
     * A block is open again.
     *
     * @param iteration of the backup that is its state now; none if there was no backup, so it begins from the start
     * @param step it is in, from 1; 0 for a stationary problem
     */
    record BlockRestored(int block, Incarnation incarnation, OptionalLong iteration, int step) implements Event {}

    /**
     * A block has taken a commit.
     *
     * @param step it is in now
     */
    record StepCommitted(int block, Incarnation incarnation, int step) implements Event {}

    /** The certified values of this step, which the block shall commit, could not be had. */
    record StepCommitFailed(int block, Incarnation incarnation, int step, String reason) implements Event {}

    /** Checkpoints that a block can be restored from, at hand until one of them is chosen. */
    record GenerationsFound(int block, Incarnation incarnation, List<CheckpointGeneration> generations)
            implements Event {
        public GenerationsFound {
            generations = List.copyOf(generations);
        }
    }

    /**
     * A checkpoint of a block was taken.
     *
     * @param stored it is durable on all of its holders; else there is none of that iteration
     */
    record CheckpointTaken(int block, Incarnation incarnation, long iteration, boolean stored) implements Event {}

    /** How a block's pseudo-period went ({@link dev.volary.protocol.detection.LocalConvergence#iterated}). */
    record PhaseElapsed(int block, Incarnation incarnation, int phase, boolean passed) implements Event {}

    /**
     * A block has come to an iteration.
     *
     * @param passed it is one after which blocks are tested, the block's hint is small there, and it waits
     * @param asked this answers {@link Action.TestStep}
     */
    record StepTested(int block, Incarnation incarnation, long iteration, boolean passed, boolean asked)
            implements Event {}

    /** A backup is durable on its holder. */
    record BackedUp(int block, Incarnation incarnation, int slot, long iteration) implements Event {}

    /** A backup could not be stored. */
    record BackupFailed(int block, Incarnation incarnation, int slot, String reason) implements Event {}

    /**
     * Measured anew: how often backups are worth their cost.
     *
     * @param every iterations between two backups of a block; 0 for none
     */
    record BackupIntervalChanged(long every) implements Event {}

    /** The process was told to end soon. */
    record ShutdownRequested() implements Event {}

    /** A block cannot be opened, or computed a value that is no number. */
    record BlockFailed(int block, Incarnation incarnation, String reason) implements Event {}

    /** The first halo from {@code from} for {@code to} is in its slot. */
    record HaloArrived(int from, int to) implements Event {}

    /** Synchronous scheme: the halo of this iteration is overdue ({@link dev.volary.protocol.halo.LockStepHalos#overdue}). */
    record HaloOverdue(int from, int to, int step, long iteration) implements Event {}

    /**
     * Data arrived under an incarnation older than known: its sender must be fenced.
     *
     * @param newest that data came from; {@code incarnation} if only the register knows of a newer one
     */
    record StaleHaloArrived(int block, Incarnation incarnation, Incarnation newest, WorkerId sender) implements Event {}

    /**
     * A sample of all open blocks, taken at a fixed rate.
     *
     * @param waiting those that have reason to stand still: they rest, or wait for their lock step
     */
    record ProgressSampled(List<Message.BlockProgress> blocks, Set<Integer> waiting) implements Event {
        public ProgressSampled {
            blocks = List.copyOf(blocks);
            waiting = Set.copyOf(waiting);
        }
    }

    /** The block's core was copied at an iteration boundary. */
    record BlockRecorded(long sid, RecordedBlock own) implements Event {}

    /**
     * The recorded values of {@code source}, read by {@code to}, arrived.
     *
     * @param step in which they were recorded
     */
    record RecordedHaloArrived(int step, long sid, RecordedBlock source, int to) implements Event {}

    /**
     * {@link Action.EvaluatePart} named recorded values of {@code source} that are not in their slot (any more), so nothing was
     * evaluated: they are asked for again.
     */
    record RecordedHaloMissing(long sid, RecordedBlock source, int to) implements Event {}

    /** The residual of a recorded block was evaluated with exactly {@code used}. */
    record PartEvaluated(
            long sid, RecordedBlock own, List<RecordedBlock> used, PartialResidual residual, long costNanos)
            implements Event {
        public PartEvaluated {
            used = List.copyOf(used);
        }
    }

    /** A recorded part is durable in the result sink. */
    record PartStored(long sid, RecordedBlock own, int checksum) implements Event {}

    /** A recorded part could not be stored. */
    record StoreFailed(long sid, int block, String reason) implements Event {}

    // ---- to spawners
    // -------------------------------------------------------------------------------------------------

    /** Somebody wants to know the residual now: take a snapshot as soon as possible. */
    record SnapshotRequested() implements Event {}

    /** The job is scaled: its blocks are to be shared out among so many daemons, at least one, as far as they are there. */
    record ScaleRequested(int daemons) implements Event {
        public ScaleRequested {
            if (daemons < 1) {
                throw new IllegalArgumentException("daemons is " + daemons + ", must be positive");
            }
        }
    }

    /** The job goes on from a checkpoint in which this step was committed, and whose parts can be read. */
    record CheckpointFound(CommittedStep record) implements Event {}

    /** The checkpoint that the job shall go on from cannot be had; it ends, unless it computes already. */
    record CheckpointRefused(String reason) implements Event {}

    /** A checkpoint is durable. */
    record CheckpointSaved(long sid, int step, double residual) implements Event {}

    /** A checkpoint could not be made durable. */
    record CheckpointFailed(long sid, String reason) implements Event {}

    /** The result was put together from its parts and is complete. */
    record ResultAssembled(long sid) implements Event {}

    /** The result cannot be written here, though its parts are there. */
    record AssemblyFailed(String reason) implements Event {}

    /** Parts of the result are gone, or damaged, wherever they were stored. */
    record PartsMissing(long sid, String reason) implements Event {}

    /** A second spawner holds the complete result, durably. */
    record ResultCopied(long sid, WorkerId to) implements Event {}

    /** The result could not be copied to this spawner. */
    record ResultCopyFailed(long sid, WorkerId to, String reason) implements Event {}
}
