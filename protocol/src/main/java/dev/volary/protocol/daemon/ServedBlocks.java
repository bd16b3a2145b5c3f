// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.convergence.DaemonDetector;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryFetcher;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.rollback.DaemonRollback;
import dev.volary.protocol.snapshot.DaemonSnapshots;
import dev.volary.protocol.stepping.DaemonSteps;
import java.util.Optional;

/**
 * Decides which blocks this daemon serves, by their newest incarnations: the owner assigns them, and an entry of the directory
 * or another daemon shows that a block is served elsewhere now. Each part that follows blocks (their lifecycle, snapshots, time
 * steps, rollbacks, the convergence detector) learns here, in the same turn, that a block opens, goes to another step or is
 * dropped, so that none answers for a block that this daemon lost.
 */
final class ServedBlocks {
    private final WorkerId self;
    private final Scheme scheme;
    private final BlockDirectory directory;
    private final IncarnationFence fence;
    private final BlockLifecycle lifecycle;
    private final DaemonSnapshots snapshots;
    private final DaemonSteps steps;
    /** Present if all blocks roll back when one has lost its daemon. */
    private final Optional<DaemonRollback> rollback;

    private final DaemonDetector detector;

    /** A daemon without blocks. */
    ServedBlocks(
            WorkerId self,
            JobGraph graph,
            DaemonConfig config,
            BlockDirectory directory,
            DirectoryFetcher fetcher,
            IncarnationFence fence) {
        this.self = self;
        this.scheme = config.scheme();
        this.directory = directory;
        this.fence = fence;
        this.lifecycle = new BlockLifecycle(self, graph, config, directory, fetcher);
        this.snapshots = new DaemonSnapshots(self, graph, directory, config.retry());
        this.steps = new DaemonSteps(graph);
        this.rollback = config.rollsBack(graph)
                ? Optional.of(new DaemonRollback(
                        graph, directory, config.retry(), config.backups().every()))
                : Optional.empty();
        this.detector = DaemonDetector.of(self, graph, directory, config);
    }

    BlockLifecycle lifecycle() {
        return lifecycle;
    }

    DaemonSnapshots snapshots() {
        return snapshots;
    }

    DaemonSteps steps() {
        return steps;
    }

    /** Present if all blocks roll back when one has lost its daemon. */
    Optional<DaemonRollback> rollback() {
        return rollback;
    }

    DaemonDetector detector() {
        return detector;
    }

    // ---- which daemon serves a block -------------------------------------------------------------------------------

    /** The owner assigns blocks to this daemon. It is fenced where it does not know of a newer incarnation. */
    void assign(WorkerId owner, BlockMessage.Assign message, DaemonTurn turn) {
        for (BlockAssignment entry : message.blocks()) {
            boolean ours = entry.daemon().id().equals(self);
            if (ours && !fence.fenceIfStale(owner, entry.block(), entry.incarnation(), turn)) {
                Optional<BackupVersion> copy = message.copies().stream()
                        .filter(each -> each.block() == entry.block())
                        .findFirst();
                assign(entry, copy, turn);
            }
        }
    }

    private void assign(BlockAssignment entry, Optional<BackupVersion> copy, DaemonTurn turn) {
        directory.merge(entry);
        if (lifecycle.has(entry.block())) {
            drop(entry.block(), entry.incarnation(), turn);
        }
        if (lifecycle.assign(entry, copy, turn)) {
            rollback.ifPresent(r -> r.assigned(entry.block(), entry.incarnation()));
        }
        turn.add(new DaemonAction.RouteBlock(entry));
    }

    /** An entry of the directory. If it is newer than what is known, halos go there, and a block that was served here is dropped. */
    void update(BlockAssignment entry, DaemonTurn turn) {
        if (directory.merge(entry)) {
            if (!entry.daemon().id().equals(self)) {
                turn.add(new WorkerAction.AddPeer(entry.daemon()));
                drop(entry.block(), entry.incarnation(), turn);
            }
            lifecycle.routed(entry, turn);
            detector.served(entry.block(), entry.incarnation(), turn);
        }
    }

    /**
     * A block that was served here has a newer incarnation elsewhere. Its owner may not know: the spawner that assigned it may
     * be dead.
     */
    void fenced(WorkerId from, BlockMessage.StaleIncarnation message, Optional<WorkerId> owner, DaemonTurn turn) {
        boolean served = lifecycle.has(message.block());
        drop(message.block(), message.newest(), turn);
        if (served && !lifecycle.has(message.block())) {
            owner.filter(to -> !to.equals(from)).ifPresent(to -> turn.send(to, message));
        }
    }

    /** Another incarnation serves the block: this one's is forgotten. */
    private void drop(int block, Incarnation newest, DaemonTurn turn) {
        lifecycle.fenced(block, newest, turn);
        if (!lifecycle.has(block)) {
            snapshots.blockDropped(block);
            steps.dropped(block);
            rollback.ifPresent(r -> r.dropped(block));
            detector.dropped(block);
        }
    }

    // ---- blocks that open ------------------------------------------------------------------------------------------

    /** A block is open for the first time. */
    void opened(DaemonEvent.BlockOpened event, DaemonTurn turn) {
        if (lifecycle.opened(event.block(), event.incarnation(), true, turn)) {
            inStep(event.block(), event.incarnation(), event.step(), turn);
        }
    }

    /** A block is open again. It sends what it restored, but not the start values that it has without a backup. */
    void restored(DaemonEvent.BlockRestored event, DaemonTurn turn) {
        boolean worthSending = event.iteration().isPresent() || scheme == Scheme.SYNCHRONOUS;
        if (lifecycle.opened(event.block(), event.incarnation(), worthSending, turn)) {
            if (event.iteration().isPresent()) {
                lifecycle.startWithoutWaiting(event.block(), turn.now());
            }
            inStep(event.block(), event.incarnation(), event.step(), turn);
        }
    }

    /** An open block begins to take part, and takes the commits that its state does not know of. */
    private void inStep(int block, Incarnation incarnation, int step, DaemonTurn turn) {
        lifecycle.inStep(block, step);
        snapshots.blockOpened(block, step, turn);
        steps.opened(block, incarnation, step, turn);
        rollback.ifPresent(r -> r.opened(block, incarnation, turn));
        detector.opened(block, incarnation, turn);
    }

    // ---- time steps ------------------------------------------------------------------------------------------------

    /** The leader has committed a step. */
    void committed(StepMessage.StepCommit message, DaemonTurn turn) {
        if (steps.committed(message.record(), turn)) {
            // Only now may the records go: the commit was made of them.
            snapshots.stepOver(message.record().step(), turn);
            // What was claimed was claimed of that step.
            detector.refused(turn);
        }
    }

    /** A block has taken a commit; returns whether it is served here. */
    boolean stepTaken(DaemonEvent.StepCommitted event, DaemonTurn turn) {
        boolean taken = steps.taken(event, turn);
        if (taken) {
            snapshots.stepTaken(event.block(), event.step(), turn);
            lifecycle.stepTaken(event.block(), event.step());
        }
        return taken;
    }

    /** The values of a commit could not be had: after too many attempts the block is broken. */
    void commitFailed(DaemonEvent.StepCommitFailed event) {
        steps.lost(event).ifPresent(reason -> lifecycle.broken(event.block(), event.incarnation(), reason));
    }

    // ---- snapshots -------------------------------------------------------------------------------------------------

    /** The leader takes a snapshot. One that it discards also refuses the claim of the convergence detector. */
    void received(SnapshotMessage.Command message, DaemonTurn turn) {
        switch (message) {
            case SnapshotMessage.RecordBlocks request -> snapshots.request(request.step(), request.sid(), turn);
            case SnapshotMessage.Reevaluate recheck -> snapshots.recheck(recheck, turn);
            case SnapshotMessage.SnapshotStore store -> snapshots.store(store.sid(), turn);
            case SnapshotMessage.Discard verdict -> {
                snapshots.discard(verdict.sid(), turn);
                detector.refused(turn);
            }
        }
    }

    int entries() {
        return lifecycle.entries()
                + snapshots.entries()
                + steps.entries()
                + rollback.map(DaemonRollback::entries).orElse(0)
                + detector.entries();
    }
}
