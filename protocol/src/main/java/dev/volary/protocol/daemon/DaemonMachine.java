// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.backup.HolderRegistration;
import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.convergence.DaemonDetector;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryFetcher;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.membership.DaemonFailureDetection;
import dev.volary.protocol.membership.IndirectProbeResponder;
import dev.volary.protocol.membership.ReachablePeers;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.rollback.DaemonRollback;
import dev.volary.protocol.snapshot.DaemonSnapshots;
import dev.volary.protocol.stepping.DaemonSteps;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A daemon's decisions: dispatches events and messages to the parts of the daemon, which are its fields. A daemon registers with
 * one spawner ({@link SpawnerRegistration}), serves the blocks that this spawner assigns ({@link ServedBlocks}), is in contact
 * with the daemons of neighboring blocks ({@link NeighborDaemons}), and takes part in snapshots and in the failure detection of
 * its group until the job is over.
 *
 * <p>A daemon that was declared dead, rightly or not, ends everything under its identity ({@link WorkerAction.Restart}).
 */
public final class DaemonMachine implements Machine<DaemonEvent, DaemonTurn> {
    private enum Life {
        ACTIVE,
        /** The job is over: the daemon only answers probes. */
        JOB_OVER,
        /** It does nothing any more. */
        EVICTED
    }

    private final WorkerId self;
    private final SpawnerRegistration registration;
    private final DaemonFailureDetection failureDetection;
    private final IndirectProbeResponder probeResponder;
    private final ReachablePeers peers;
    private final BlockDirectory directory;
    private final DirectoryFetcher fetcher;
    private final IncarnationFence fence;
    private final ServedBlocks served;
    private final BlockLifecycle blocks;
    private final DaemonSnapshots snapshots;
    private final DaemonSteps steps;
    /** Present if all blocks roll back when one has lost its daemon. */
    private final Optional<DaemonRollback> rollback;

    private final DaemonDetector detector;
    private final NeighborDaemons neighbors;
    private final HolderRegistration holderRegistration;
    private final GracefulShutdown shutdown;
    private final WarmupTrigger warmup;
    private Life life = Life.ACTIVE;

    /**
     * A free daemon.
     *
     * @param seed of the jitter of its retries
     */
    public DaemonMachine(Member self, JobGraph graph, DaemonConfig config, long seed) {
        this.self = self.id();
        this.registration = new SpawnerRegistration(self, config.retry(), seed);
        this.failureDetection = new DaemonFailureDetection(self.id(), config.watch(), seed, graph.longestPause());
        this.peers = new ReachablePeers(config.retry());
        this.probeResponder =
                new IndirectProbeResponder(config.watch().timeout().toNanos());
        this.directory = new BlockDirectory();
        this.fetcher = new DirectoryFetcher(config.retry());
        this.fence = new IncarnationFence(directory, config.retry());
        this.served = new ServedBlocks(self.id(), graph, config, directory, fetcher, fence);
        this.blocks = served.lifecycle();
        this.snapshots = served.snapshots();
        this.steps = served.steps();
        this.rollback = served.rollback();
        this.detector = served.detector();
        this.neighbors = new NeighborDaemons(self.id(), directory, fetcher, served, fence);
        this.holderRegistration = new HolderRegistration(
                config.backups().openAfter(), config.backups().slots(), config.retry());
        this.shutdown = new GracefulShutdown(self.id(), blocks, rollback.isEmpty(), config.retry());
        this.warmup = new WarmupTrigger(blocks, shutdown);
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return registration.entries()
                + failureDetection.entries()
                + probeResponder.entries()
                + peers.entries()
                + directory.size()
                + fetcher.entries()
                + fence.entries()
                + served.entries();
    }

    // ---- events ----------------------------------------------------------------------------------------------------

    @Override
    public void on(DaemonEvent event, DaemonTurn turn) {
        if (life == Life.EVICTED) {
            return;
        }
        observe(event, turn);
        if (life == Life.ACTIVE) {
            decide(event, turn);
        }
        if (life != Life.EVICTED) {
            tick(turn);
        }
    }

    /** Even after the end of the job an event is evidence that its sender lives. */
    private void observe(DaemonEvent event, DaemonTurn turn) {
        if (event instanceof DaemonEvent.Received(WorkerId from, ToDaemon message)) {
            failureDetection.arrived(from, message, turn);
        } else if (event instanceof WorkerEvent.PeerEvent peer) {
            failureDetection.on(peer, turn);
        }
    }

    private void decide(DaemonEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.Received(WorkerId from, ToDaemon message) -> received(from, message, turn);
            case DaemonEvent.BlockEvent e -> on(e, turn);
            case DaemonEvent.BackupEvent e -> on(e, turn);
            case DaemonEvent.RollbackEvent e -> rollback.ifPresent(r -> r.on(e, registration.owner(), turn));
            case DaemonEvent.DetectionEvent e -> detector.on(e, registration.owner(), turn);
            case DaemonEvent.SnapshotEvent e -> snapshots.on(e, turn);
            case DaemonEvent.ShutdownRequested e -> shutdown.request(turn);
            case WorkerEvent e -> on(e, turn);
        }
    }

    private void on(DaemonEvent.BlockEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.BlockOpened opened -> served.opened(opened, turn);
            case DaemonEvent.BlockRestored restored -> served.restored(restored, turn);
            case DaemonEvent.StepCommitted taken -> {
                if (served.stepTaken(taken, turn)) {
                    report(turn);
                }
            }
            case DaemonEvent.StepCommitFailed failed -> served.commitFailed(failed);
            case DaemonEvent.BlockFailed broken -> blocks.broken(broken.block(), broken.incarnation(), broken.reason());
            case DaemonEvent.HaloArrived arrived -> blocks.haloArrived(arrived.from(), arrived.to());
            case DaemonEvent.HaloOverdue overdue -> neighbors.haloOverdue(overdue, turn);
            case DaemonEvent.StaleHaloArrived stale -> fence.staleHaloArrived(stale, turn);
            case DaemonEvent.ProgressSampled sampled -> {
                blocks.sampled(sampled.blocks(), sampled.waiting(), turn);
                rollback.ifPresent(r -> r.sampled(sampled.blocks(), registration.owner(), turn));
                report(turn);
            }
        }
    }

    private void on(DaemonEvent.BackupEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.BackedUp done -> {
                blocks.backedUp(done.block(), done.incarnation(), done.iteration(), turn);
                shutdown.backupEnded(turn.now());
            }
            case DaemonEvent.BackupFailed failed -> {
                blocks.backupBroken(failed.block(), failed.incarnation(), turn);
                shutdown.backupEnded(turn.now());
            }
            case DaemonEvent.BackupIntervalChanged changed -> {
                blocks.setBackupInterval(changed.every());
                rollback.ifPresent(r -> r.setCheckpointInterval(changed.every(), turn));
            }
            case DaemonEvent.WarmupFinished finished -> holderRegistration.warmedUp(turn.now());
        }
    }

    private void on(WorkerEvent event, DaemonTurn turn) {
        switch (event) {
            // Every event ends with a tick.
            case WorkerEvent.Tick tick -> {}
            case WorkerEvent.SpawnersFound found -> registration.found(found.spawners(), turn);
            case WorkerEvent.BackupStoreOpened opened -> holderRegistration.opened(opened.self(), turn.now());
            case WorkerEvent.Verdicts verdicts ->
                verdicts.lost().forEach(lost -> registration.spawnerLost(lost.member(), turn));
            case WorkerEvent.Acknowledged acknowledged -> receivedFrom(acknowledged.peer(), turn);
            case WorkerEvent.ConnectionReset reset -> {
                registration.refused(reset.peer(), turn);
                probeResponder.refused(reset.peer(), turn);
            }
            // Only failure detection weighs it.
            case WorkerEvent.PlatformHint hint -> {}
        }
    }

    private void receivedFrom(WorkerId from, DaemonTurn turn) {
        registration.received(from, turn);
        probeResponder.received(from, turn);
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    private void received(WorkerId from, ToDaemon message, DaemonTurn turn) {
        receivedFrom(from, turn);
        switch (message) {
            case RegistrationMessage.Reply m -> received(from, m, turn);
            case BlockMessage.Command m -> received(from, m, turn);
            case BlockMessage.Neighbor m -> neighbors.received(from, m, registration.owner(), turn);
            case SnapshotMessage.Command m -> served.received(m, turn);
            case SnapshotMessage.SnapshotHaloRequest request -> snapshots.haloRequested(request, turn);
            case StepMessage.StepCommit commit -> served.committed(commit, turn);
            case RollbackMessage.Command m -> rollback.ifPresent(r -> r.received(m, registration.owner(), turn));
            case DetectionMessage.Command m -> detector.received(m, registration.owner(), turn);
            case DetectionMessage.Neighbor m -> detector.received(from, m, turn);
            case MembershipMessage.PeerMessage m -> received(from, m, turn);
            case MembershipMessage.MemberListUpdate list -> {
                if (registration.owner().filter(list.owner()::equals).isPresent()) {
                    failureDetection.updateMembers(list, turn);
                    registration.monitored();
                    warmup.monitored(turn);
                }
            }
            case BackupMessage.HolderListUpdate holders -> {
                if (holderRegistration.holders(from, holders, turn)) {
                    warmup.transferred(turn);
                }
            }
            case Stop stop -> {
                life = Life.JOB_OVER;
                turn.add(new DaemonAction.StopComputing());
            }
        }
    }

    private void received(WorkerId from, RegistrationMessage.Reply message, DaemonTurn turn) {
        switch (message) {
            case RegistrationMessage.Registered registered -> {
                registration.registered(from, registered.term(), turn);
                ownerChanged(turn);
            }
            case RegistrationMessage.RegisterElsewhere elsewhere ->
                registration.tryElsewhere(from, elsewhere.spawner(), turn);
            case RegistrationMessage.GroupAdopted takeover -> {
                registration.takeover(from, takeover.term(), turn);
                ownerChanged(turn);
            }
            case RegistrationMessage.TransferDaemon transfer -> {
                if (registration.transfer(from, transfer.spawner(), turn)) {
                    holderRegistration.lent();
                }
                ownerChanged(turn);
            }
            // An owner that was replaced cannot evict this daemon.
            case RegistrationMessage.Evicted evicted when registration.isDeposed(from) -> {}
            case RegistrationMessage.Evicted evicted -> {
                life = Life.EVICTED;
                turn.add(shutdown.isRequested() ? new DaemonAction.Exit() : new WorkerAction.Restart());
            }
        }
    }

    /** The owner may be another one now: it gets a report of what is computed here. */
    private void ownerChanged(DaemonTurn turn) {
        registration.owner().ifPresent(snapshots::reportTo);
        report(turn);
    }

    private void received(WorkerId from, BlockMessage.Command message, DaemonTurn turn) {
        switch (message) {
            case BlockMessage.Assign assign -> {
                if (registration.assigned(from, assign.term(), turn) && !shutdown.isRequested()) {
                    served.assign(from, assign, turn);
                    report(turn);
                }
            }
            case BlockMessage.DirectoryUpdate update -> {
                turn.send(from, new BlockMessage.DirectoryAck(update.version()));
                update.entries().forEach(entry -> served.update(entry, turn));
            }
        }
    }

    private void received(WorkerId from, MembershipMessage.PeerMessage message, DaemonTurn turn) {
        switch (message) {
            case MembershipMessage.Probe probe -> {
                if (registration.knows(from) && registration.knows(probe.suspect())) {
                    probeResponder.asked(from, probe.suspect(), turn.now());
                }
            }
            // Failure detection has taken them.
            case MembershipMessage.Heartbeat _,
                    MembershipMessage.ProbeAnswer _,
                    MembershipMessage.Refutation _,
                    MembershipMessage.Suspicions _,
                    MembershipMessage.Departing _,
                    MembershipMessage.VerdictAnnouncement _ -> {}
        }
    }

    private void report(DaemonTurn turn) {
        registration
                .owner()
                .ifPresent(owner -> turn.send(owner, new ProgressMessage.DaemonReport(self, blocks.progress())));
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    private void tick(DaemonTurn turn) {
        failureDetection
                .tick(life == Life.ACTIVE ? blocks.counters() : List.of(), turn)
                .ifPresent(spawner -> registration.orphaned(spawner, turn.now()));
        if (life == Life.JOB_OVER) {
            return;
        }
        registration.tick(turn);
        probeResponder.tick(failureDetection.allowanceNanos(turn.now()), turn);
        blocks.tick(registration.owner(), turn);
        if (blocks.isAnyIterating()) {
            holderRegistration.iterating(turn.now());
        }
        holderRegistration.tick(registration.owner(), turn);
        steps.reportTo(registration.owner(), snapshots.stored(), turn);
        fetcher.tick(registration.owner(), turn);
        shutdown.tick(registration.owner(), turn);
        snapshots.tick(turn);
        rollback.ifPresent(r -> r.tick(registration.owner(), turn));
        detector.tick(registration.owner(), turn);
        peers.update(turn, this::neededPeers);
    }

    /** Spawners, the members of the group, the daemons that serve neighbors of blocks here, and spawners that are probed. */
    private Set<WorkerId> neededPeers() {
        Set<WorkerId> needed = new TreeSet<>(registration.spawners());
        registration.owner().ifPresent(needed::add);
        needed.addAll(failureDetection.members());
        needed.addAll(blocks.neighbors());
        needed.addAll(probeResponder.peers());
        return needed;
    }
}
