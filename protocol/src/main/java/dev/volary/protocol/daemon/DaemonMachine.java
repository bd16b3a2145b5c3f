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
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.rollback.DaemonRollback;
import dev.volary.protocol.snapshot.DaemonSnapshots;
import dev.volary.protocol.stepping.DaemonSteps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A daemon's decisions: registers with one spawner, opens and starts its assigned blocks, greets their neighbors, backs them
 * up, reports, and takes part in snapshots until the job is over.
 *
 * <p>A daemon that was declared dead, rightly or not, ends everything under its identity ({@link WorkerAction.Restart}).
 */
public final class DaemonMachine implements Machine<DaemonEvent, DaemonTurn> {
    private final Member self;
    private final DaemonConfig config;
    private final SpawnerRegistration registration;
    private final BlockDirectory directory = new BlockDirectory();
    private final BlockLifecycle blocks;
    private final DaemonSnapshots snapshots;
    private final DaemonSteps steps;
    private final DirectoryFetcher fetcher;
    private final HolderRegistration holderRegistration;
    /** Present if all blocks roll back when one has lost its daemon. */
    private final Optional<DaemonRollback> rollback;

    private final DaemonDetector detector;
    private final Map<WorkerId, Long> fencedAt = new HashMap<>();
    private final DaemonFailureDetection failureDetection;
    private final IndirectProbeResponder probeResponder;
    private final ReachablePeers peers;
    /** Whether the job is over: this daemon only answers probes. */
    private boolean isOver;
    /** Whether it was evicted: it does nothing any more. */
    private boolean isStopped;

    /** Whether this daemon got ready for a block. */
    private boolean isPrepared;

    private boolean isLeaving;
    private long leaveAgainAt = Long.MAX_VALUE;

    /**
     * A free daemon.
     *
     * @param seed of the jitter of its retries
     */
    public DaemonMachine(Member self, JobGraph graph, DaemonConfig config, long seed) {
        this.self = self;
        this.config = config;
        this.registration = new SpawnerRegistration(self, config.retry(), seed);
        this.fetcher = new DirectoryFetcher(config.retry());
        this.holderRegistration = new HolderRegistration(
                config.backups().openAfter(), config.backups().slots(), config.retry());
        this.blocks = new BlockLifecycle(self.id(), graph, config, directory, fetcher);
        this.snapshots = new DaemonSnapshots(self.id(), graph, directory, config.retry());
        this.steps = new DaemonSteps(graph);
        this.rollback = config.rollsBack(graph)
                ? Optional.of(new DaemonRollback(
                        graph, directory, config.retry(), config.backups().every()))
                : Optional.empty();
        this.detector = DaemonDetector.of(self.id(), graph, directory, config);
        this.failureDetection = new DaemonFailureDetection(self.id(), config.watch(), seed);
        this.peers = new ReachablePeers(config.retry());
        this.probeResponder =
                new IndirectProbeResponder(config.watch().timeout().toNanos());
    }

    @Override
    public void on(DaemonEvent event, DaemonTurn turn) {
        if (isStopped) {
            return;
        }
        // Even at the end of the job it is evidence that its sender lives.
        if (event instanceof DaemonEvent.Received(WorkerId from, ToDaemon message)) {
            failureDetection.arrived(from, message, turn);
        } else if (event instanceof WorkerEvent.PeerEvent peer) {
            failureDetection.on(peer, turn);
        }
        if (!isOver) {
            decide(event, turn);
        }
        if (!isStopped) {
            failureDetection
                    .tick(isOver ? List.of() : blocks.counters(), turn)
                    .ifPresent(spawner -> registration.orphaned(spawner, turn.now()));
        }
        if (!isStopped && !isOver) {
            registration.tick(turn);
            probeResponder.tick(turn);
            blocks.tick(registration.owner(), turn);
            if (blocks.isAnyIterating()) {
                holderRegistration.iterating(turn.now());
            }
            holderRegistration.tick(registration.owner(), turn);
            steps.reportTo(registration.owner(), snapshots.stored(), turn);
            fetcher.tick(registration.owner(), turn);
            announceLeaving(turn);
            snapshots.tick(turn);
            rollback.ifPresent(r -> r.tick(registration.owner(), turn));
            detector.tick(registration.owner(), turn);
            peers.update(turn, this::neededPeers);
        }
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

    private void decide(DaemonEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.Received(WorkerId from, ToDaemon message) -> received(from, message, turn);
            case DaemonEvent.BlockEvent e -> on(e, turn);
            case DaemonEvent.BackupEvent e -> on(e, turn);
            case DaemonEvent.RollbackEvent e -> rollback.ifPresent(r -> r.on(e, registration.owner(), turn));
            case DaemonEvent.DetectionEvent e -> on(e, turn);
            case DaemonEvent.SnapshotEvent e -> snapshots.on(e, turn);
            case DaemonEvent.ShutdownRequested leave -> {
                isLeaving = true;
                leaveAgainAt = turn.now();
                if (rollback.isEmpty()) { // else all blocks roll back, so there is nothing to save
                    blocks.leave(turn);
                }
            }
            case WorkerEvent e -> on(e, turn);
        }
    }

    private void on(DaemonEvent.BlockEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.BlockOpened opened -> {
                if (blocks.opened(opened.block(), opened.incarnation(), true, turn)) {
                    inStep(opened.block(), opened.incarnation(), opened.step(), turn);
                }
            }
            case DaemonEvent.BlockRestored restored -> restored(restored, turn);
            case DaemonEvent.StepCommitted taken -> taken(taken, turn);
            case DaemonEvent.StepCommitFailed lost ->
                steps.lost(lost).ifPresent(reason -> blocks.broken(lost.block(), lost.incarnation(), reason));
            case DaemonEvent.BlockFailed broken -> blocks.broken(broken.block(), broken.incarnation(), broken.reason());
            case DaemonEvent.HaloArrived arrived -> blocks.haloArrived(arrived.from(), arrived.to());
            case DaemonEvent.HaloOverdue overdue -> overdue(overdue, turn);
            case DaemonEvent.StaleHaloArrived old -> fence(old, turn);
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
                leaveAgainAt = isLeaving ? turn.now() : leaveAgainAt;
            }
            case DaemonEvent.BackupFailed broken -> {
                blocks.backupBroken(broken.block(), broken.incarnation(), turn);
                leaveAgainAt = isLeaving ? turn.now() : leaveAgainAt;
            }
            case DaemonEvent.BackupIntervalChanged changed -> {
                blocks.setBackupInterval(changed.every());
                rollback.ifPresent(r -> r.setCheckpointInterval(changed.every(), turn));
            }
            case DaemonEvent.WarmupFinished finished -> holderRegistration.warmedUp(turn.now());
        }
    }

    private void on(DaemonEvent.DetectionEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.PhaseElapsed elapsed -> detector.elapsed(elapsed, turn);
            case DaemonEvent.StepTested tested -> detector.tested(tested, registration.owner(), turn);
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

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return registration.entries()
                + directory.size()
                + blocks.entries()
                + snapshots.entries()
                + steps.entries()
                + fencedAt.size()
                + fetcher.entries()
                + failureDetection.entries()
                + probeResponder.entries()
                + peers.entries()
                + rollback.map(DaemonRollback::entries).orElse(0)
                + detector.entries();
    }

    private void receivedFrom(WorkerId from, DaemonTurn turn) {
        registration.received(from, turn);
        probeResponder.received(from, turn);
    }

    private void received(WorkerId from, ToDaemon message, DaemonTurn turn) {
        receivedFrom(from, turn);
        switch (message) {
            case RegistrationMessage.Reply m -> received(from, m, turn);
            case BlockMessage.Command m -> received(from, m, turn);
            case BlockMessage.Neighbor m -> received(from, m, turn);
            case SnapshotMessage.Command m -> received(m, turn);
            case SnapshotMessage.SnapshotHaloRequest request -> snapshots.haloRequested(request, turn);
            case StepMessage.StepCommit commit -> committed(commit, turn);
            case RollbackMessage.Command m -> rollback.ifPresent(r -> r.received(m, registration.owner(), turn));
            case DetectionMessage.Command m -> detector.received(m, registration.owner(), turn);
            case DetectionMessage.Neighbor m -> detector.received(from, m, turn);
            case MembershipMessage.PeerMessage m -> received(from, m, turn);
            case MembershipMessage.MemberListUpdate list -> {
                if (registration.owner().filter(list.owner()::equals).isPresent()) {
                    failureDetection.updateMembers(list, turn);
                    registration.monitored();
                    warmUp(turn);
                }
            }
            case BackupMessage.HolderListUpdate holders -> {
                if (holderRegistration.holders(from, holders, turn)) {
                    isPrepared = false;
                    warmUp(turn);
                }
            }
            case Stop stop -> stop(turn);
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
                isStopped = true;
                turn.add(isLeaving ? new DaemonAction.Exit() : new WorkerAction.Restart());
            }
        }
    }

    private void received(WorkerId from, BlockMessage.Command message, DaemonTurn turn) {
        switch (message) {
            case BlockMessage.Assign assign -> assign(from, assign, turn);
            case BlockMessage.DirectoryUpdate update -> {
                turn.send(from, new BlockMessage.DirectoryAck(update.version()));
                update.entries().forEach(entry -> learn(entry, turn));
            }
        }
    }

    private void received(WorkerId from, BlockMessage.Neighbor message, DaemonTurn turn) {
        switch (message) {
            case BlockMessage.BlockHello hello -> greeted(from, hello, turn);
            case BlockMessage.BlockMoved moved -> learn(moved.entry(), turn);
            case BlockMessage.StaleIncarnation fenced -> fenced(from, fenced, turn);
            case BlockMessage.HaloRequest request -> {
                if (blocks.has(request.from())) {
                    turn.add(new DaemonAction.ResendHalo(
                            request.from(), request.to(), request.step(), request.iteration()));
                }
            }
        }
    }

    private void received(SnapshotMessage.Command message, DaemonTurn turn) {
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

    /** Warms up a daemon without blocks. Once it is monitored, its group has its blocks already. */
    private void warmUp(DaemonTurn turn) {
        if (!isPrepared && !blocks.hasBlocks() && !isLeaving) {
            isPrepared = true;
            turn.add(new DaemonAction.WarmUp());
        }
    }

    /** The owner may be another one now: it gets a report of what is computed here. */
    private void ownerChanged(DaemonTurn turn) {
        registration.owner().ifPresent(snapshots::reportTo);
        report(turn);
    }

    private void assign(WorkerId from, BlockMessage.Assign assign, DaemonTurn turn) {
        if (!registration.assigned(from, assign.term(), turn) || isLeaving) {
            return;
        }
        for (BlockAssignment entry : assign.blocks()) {
            if (entry.daemon().id().equals(self.id())) {
                Optional<BlockAssignment> known = directory.find(entry.block());
                if (known.isPresent() && known.get().incarnation().compareTo(entry.incarnation()) > 0) {
                    turn.send(
                            from,
                            new BlockMessage.StaleIncarnation(
                                    entry.block(), known.get().incarnation()));
                    continue;
                }
                directory.merge(entry);
                if (blocks.has(entry.block())) {
                    drop(entry.block(), entry.incarnation(), turn);
                }
                Optional<BackupVersion> copy = assign.copies().stream()
                        .filter(each -> each.block() == entry.block())
                        .findFirst();
                if (blocks.assign(entry, copy, turn)) {
                    rollback.ifPresent(r -> r.assigned(entry.block(), entry.incarnation()));
                }
                turn.add(new DaemonAction.RouteBlock(entry));
            }
        }
        report(turn);
    }

    /** A block is open again: it takes part, and sends what it restored. */
    private void restored(DaemonEvent.BlockRestored restored, DaemonTurn turn) {
        boolean worthSending = restored.iteration().isPresent() || config.scheme() == Scheme.SYNCHRONOUS;
        if (blocks.opened(restored.block(), restored.incarnation(), worthSending, turn)) {
            if (restored.iteration().isPresent()) {
                blocks.startWithoutWaiting(restored.block(), turn.now());
            }
            inStep(restored.block(), restored.incarnation(), restored.step(), turn);
        }
    }

    /** An open block begins to take part, and takes the commits that its state does not know of. */
    private void inStep(int block, Incarnation incarnation, int step, DaemonTurn turn) {
        blocks.inStep(block, step);
        snapshots.blockOpened(block, step, turn);
        steps.opened(block, incarnation, step, turn);
        rollback.ifPresent(r -> r.opened(block, incarnation, turn));
        detector.opened(block, incarnation, turn);
    }

    private void committed(StepMessage.StepCommit commit, DaemonTurn turn) {
        if (steps.committed(commit.record(), turn)) {
            // Only now may the records go: the commit was made of them.
            snapshots.stepOver(commit.record().step(), turn);
            // What was claimed was claimed of that step.
            detector.refused(turn);
        }
    }

    private void taken(DaemonEvent.StepCommitted taken, DaemonTurn turn) {
        if (steps.taken(taken, turn)) {
            snapshots.stepTaken(taken.block(), taken.step(), turn);
            blocks.stepTaken(taken.block(), taken.step());
            report(turn);
        }
    }

    /**
     * A neighbor greets: a stale incarnation is fenced, the place of a moved block is sent back, a newer incarnation is looked
     * up.
     */
    private void greeted(WorkerId from, BlockMessage.BlockHello hello, DaemonTurn turn) {
        Optional<BlockAssignment> known = directory.find(hello.from());
        int order =
                known.map(e -> e.incarnation().compareTo(hello.incarnation())).orElse(0);
        if (order > 0) {
            turn.send(
                    from,
                    new BlockMessage.StaleIncarnation(hello.from(), known.get().incarnation()));
            return;
        }
        if (order < 0) {
            fetcher.want(hello.from());
        }
        if (blocks.has(hello.to())) {
            blocks.greeted(hello, turn);
        } else {
            directory
                    .find(hello.to())
                    .filter(entry -> !entry.daemon().id().equals(self.id()))
                    .ifPresent(entry -> turn.send(from, new BlockMessage.BlockMoved(entry)));
        }
    }

    private void announceLeaving(DaemonTurn turn) {
        if (isLeaving && turn.now() >= leaveAgainAt) {
            leaveAgainAt = turn.now() + config.retry().toNanos();
            registration
                    .owner()
                    .ifPresentOrElse(
                            owner -> turn.send(
                                    owner,
                                    new RegistrationMessage.Leaving(
                                            self.id(), rollback.isPresent() ? List.of() : blocks.busy())),
                            () -> turn.add(new DaemonAction.Exit()));
        }
        turn.wakeAt(leaveAgainAt);
    }

    private void learn(BlockAssignment entry, DaemonTurn turn) {
        if (directory.merge(entry)) {
            if (!entry.daemon().id().equals(self.id())) {
                turn.add(new WorkerAction.AddPeer(entry.daemon()));
                drop(entry.block(), entry.incarnation(), turn);
            }
            blocks.routed(entry, turn);
            detector.served(entry.block(), entry.incarnation(), turn);
        }
    }

    /**
     * A block that was served here has a newer incarnation elsewhere. Its owner may not know: the spawner that assigned it may
     * be dead.
     */
    private void fenced(WorkerId from, BlockMessage.StaleIncarnation fenced, DaemonTurn turn) {
        boolean served = blocks.has(fenced.block());
        drop(fenced.block(), fenced.newest(), turn);
        if (served && !blocks.has(fenced.block())) {
            registration.owner().filter(owner -> !owner.equals(from)).ifPresent(owner -> turn.send(owner, fenced));
        }
    }

    /** Another incarnation serves the block: this one's is forgotten. */
    private void drop(int block, Incarnation newest, DaemonTurn turn) {
        blocks.fenced(block, newest, turn);
        if (!blocks.has(block)) {
            snapshots.blockDropped(block);
            steps.dropped(block);
            rollback.ifPresent(r -> r.dropped(block));
            detector.dropped(block);
        }
    }

    /** Fences a sender of stale data, at most once in a retry period. */
    private void fence(DaemonEvent.StaleHaloArrived old, DaemonTurn turn) {
        // The newest assignment may be lost with all that knew of it; its data would never arrive.
        Incarnation newest = directory
                .find(old.block())
                .map(BlockAssignment::incarnation)
                .filter(known -> known.compareTo(old.newest()) > 0)
                .orElse(old.newest());
        long last = fencedAt.getOrDefault(old.sender(), Long.MIN_VALUE / 2);
        if (newest.compareTo(old.incarnation()) > 0
                && turn.now() - last >= config.retry().toNanos()) {
            fencedAt.values().removeIf(at -> turn.now() - at >= config.retry().toNanos());
            fencedAt.put(old.sender(), turn.now());
            turn.send(old.sender(), new BlockMessage.StaleIncarnation(old.block(), newest));
        }
    }

    private void overdue(DaemonEvent.HaloOverdue overdue, DaemonTurn turn) {
        if (blocks.has(overdue.from())) {
            turn.add(new DaemonAction.ResendHalo(overdue.from(), overdue.to(), overdue.step(), overdue.iteration()));
            return;
        }
        boolean isHere =
                directory.daemonOf(overdue.from()).filter(self.id()::equals).isPresent();
        if (!isHere) { // else it was here, and the block is taken away
            directory.sendTo(
                    List.of(overdue.from()),
                    new BlockMessage.HaloRequest(overdue.from(), overdue.to(), overdue.step(), overdue.iteration()),
                    turn);
        }
    }

    private void report(DaemonTurn turn) {
        registration
                .owner()
                .ifPresent(owner -> turn.send(owner, new ProgressMessage.DaemonReport(self.id(), blocks.progress())));
    }

    private void stop(DaemonTurn turn) {
        isOver = true;
        turn.add(new DaemonAction.StopComputing());
    }
}
