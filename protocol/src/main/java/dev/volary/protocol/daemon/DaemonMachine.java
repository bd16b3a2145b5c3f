package dev.volary.protocol.daemon;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.KnownCopy;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import dev.volary.protocol.Scheme;
import dev.volary.protocol.backup.Holding;
import dev.volary.protocol.detection.TreeVerification;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.snapshot.SnapshotMember;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A daemon's decisions: registers with one spawner, opens and starts the blocks it is given, greets their neighbours, backs
 * them up, reports, and takes part in snapshots until it is told to stop.
 *
 * <p>A daemon that was declared gone, rightly or not, ends everything under its identity ({@link Action.StartAnew}).
 */
public final class DaemonMachine implements Machine {
    private final Member self;
    private final DaemonConfig config;
    private final Registration registration;
    private final Register register = new Register();
    private final OwnBlocks blocks;
    private final SnapshotMember snapshots;
    private final OwnSteps steps;
    private final RegisterPull pull;
    private final Holding holding;
    private final Optional<LockStepDaemon> lockStep;
    private final Optional<TreeVerification> tree;
    private final Map<NodeId, Long> fencedAt = new HashMap<>();
    private final Watching watching;
    private final Witness witness;
    /** Whether the job is over: this daemon only tells who asks that it lives. */
    private boolean over;
    /** Whether it was dismissed: it says nothing any more. */
    private boolean stopped;

    /** Whether this daemon got ready for a block. */
    private boolean readied;

    private boolean leaving;
    private long leaveAgainAt = Long.MAX_VALUE;

    /**
     * A free daemon.
     *
     * @param seed of the jitter of its retries
     */
    public DaemonMachine(Member self, JobShape shape, DaemonConfig config, long seed) {
        this.self = self;
        this.config = config;
        this.registration = new Registration(self, config.retry(), seed);
        this.pull = new RegisterPull(config.retry());
        this.holding =
                new Holding(config.backups().openAfter(), config.backups().slots(), config.retry());
        this.blocks = new OwnBlocks(self.id(), shape, config, register, pull);
        this.snapshots = new SnapshotMember(self.id(), shape, register, config.retry());
        this.steps = new OwnSteps(shape);
        this.lockStep =
                config.goesBack(shape) ? Optional.of(new LockStepDaemon(shape, register, config)) : Optional.empty();
        this.tree = config.tree().map(rules -> new TreeVerification(self.id(), shape, register, rules, config.retry()));
        this.watching = new Watching(self.id(), config.watch(), seed);
        this.witness = new Witness(config.watch().timeout().toNanos());
    }

    @Override
    public Actions on(Event event, long now) {
        Actions out = new Actions();
        if (stopped) {
            return out;
        }
        watching.on(event, out, now);
        if (!over) {
            decide(event, out, now);
        }
        if (!stopped) {
            watching.tick(over ? List.of() : blocks.counters(), out, now)
                    .ifPresent(spawner -> registration.orphaned(spawner, now));
        }
        if (!stopped && !over) {
            registration.tick(out, now);
            witness.tick(out, now);
            blocks.tick(registration.owner(), out, now);
            if (blocks.iterating()) {
                holding.iterating(now);
            }
            holding.tick(registration.owner(), out, now);
            steps.tell(registration.owner(), snapshots.stored(), out);
            pull.tick(registration.owner(), out, now);
            sayLeaving(out, now);
            snapshots.tick(out, now);
            lockStep.ifPresent(s -> s.tick(registration.owner(), out, now));
            tree.ifPresent(t -> t.tick(registration.owner(), out, now));
        }
        return out;
    }

    private void decide(Event event, Actions out, long now) {
        switch (event) {
            case Event.Received received -> received(received.from(), received.message(), out, now);
            case Event.Tick tick -> {}
            case Event.SpawnersFound found -> registration.found(found.spawners(), out, now);
            case Event.BlockOpened opened -> {
                if (blocks.opened(opened.block(), opened.incarnation(), true, out, now)) {
                    inStep(opened.block(), opened.incarnation(), opened.step(), out);
                }
            }
            case Event.BlockRestored restored -> restored(restored, out, now);
            case Event.StepTaken taken -> taken(taken, out);
            case Event.StepLost lost ->
                steps.lost(lost).ifPresent(reason -> blocks.broken(lost.block(), lost.incarnation(), reason));
            case Event.BackedUp done -> {
                blocks.backedUp(done.block(), done.incarnation(), done.iteration(), out);
                leaveAgainAt = leaving ? now : leaveAgainAt;
            }
            case Event.BackupBroken broken -> {
                blocks.backupBroken(broken.block(), broken.incarnation(), out);
                leaveAgainAt = leaving ? now : leaveAgainAt;
            }
            case Event.BackupsPaced paced -> {
                blocks.paced(paced.every());
                lockStep.ifPresent(s -> s.paced(paced.every(), out));
            }
            case Event.PhaseElapsed elapsed -> tree.ifPresent(t -> t.elapsed(elapsed, out));
            case Event.GenerationsFound found -> lockStep.ifPresent(s -> s.found(found, now));
            case Event.CheckpointTaken taken -> lockStep.ifPresent(s -> s.taken(taken, registration.owner(), out));
            case Event.StepTested tested -> lockStep.ifPresent(s -> s.tested(tested, registration.owner(), out, now));
            case Event.StoreOpened opened -> holding.opened(opened.self(), now);
            case Event.Rehearsed rehearsed -> holding.rehearsed(now);
            case Event.Leaving leave -> {
                leaving = true;
                leaveAgainAt = now;
                if (lockStep.isEmpty()) { // else all blocks go back, so there is nothing to save
                    blocks.leave(out);
                }
            }
            case Event.BlockBroken broken -> blocks.broken(broken.block(), broken.incarnation(), broken.reason());
            case Event.HaloArrived arrived -> blocks.haloArrived(arrived.from(), arrived.to());
            case Event.HaloOverdue overdue -> overdue(overdue, out);
            case Event.OldHaloArrived old -> fence(old, out, now);
            case Event.Sampled sampled -> {
                blocks.sampled(sampled.blocks(), sampled.waiting(), out);
                lockStep.ifPresent(s -> s.sampled(sampled.blocks(), registration.owner(), out));
                report(out);
            }
            case Event.BlockRecorded recorded -> snapshots.recorded(recorded, out);
            case Event.RecordedHaloArrived arrived -> snapshots.haloArrived(arrived, out, now);
            case Event.RecordedHaloLost lost -> snapshots.haloLost(lost, now);
            case Event.PartEvaluated evaluated -> snapshots.evaluated(evaluated, out);
            case Event.PartStored stored -> snapshots.stored(stored, out);
            case Event.StoreBroken broken -> snapshots.storeBroken(broken, out);
            case Event.ArbiterAnswered answered -> {}
            case Event.ResultAssembled assembled -> {}
            case Event.AssemblyBroken broken -> {}
            case Event.PartsMissing e -> {}
            case Event.ResultCopied e -> {}
            case Event.ResultCopyFailed e -> {}
            case Event.CheckpointFound found -> {}
            case Event.CheckpointRefused refused -> {}
            case Event.CheckpointKept kept -> {}
            case Event.CheckpointBroken broken -> {}
            case Event.Hinted hint -> {}
            case Event.SnapshotAsked asked -> {}
            case Event.DaemonsWanted wanted -> {}
            case Event.Verdicts verdicts ->
                verdicts.lost().forEach(lost -> registration.spawnerLost(lost.member(), out, now));
            case Event.Acknowledged acknowledged -> heard(acknowledged.peer(), out, now);
            case Event.ConnectionReset reset -> {
                registration.refused(reset.peer(), out, now);
                witness.refused(reset.peer(), out);
            }
        }
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return registration.entries()
                + register.size()
                + blocks.entries()
                + snapshots.entries()
                + steps.entries()
                + fencedAt.size()
                + pull.entries()
                + watching.entries()
                + witness.entries()
                + lockStep.map(LockStepDaemon::entries).orElse(0)
                + tree.map(TreeVerification::entries).orElse(0);
    }

    private void heard(NodeId from, Actions out, long now) {
        registration.heard(from, out, now);
        witness.heard(from, out);
    }

    private void received(NodeId from, Message message, Actions out, long now) {
        heard(from, out, now);
        switch (message) {
            case Message.Watched list -> {
                if (registration.owner().filter(list.owner()::equals).isPresent()) {
                    watching.members(list, out, now);
                    registration.watched();
                    standBy(out);
                }
            }
            case Message.Registered registered -> {
                registration.registered(from, registered.term(), out, now);
                belong(out);
            }
            case Message.Takeover takeover -> {
                registration.takeover(from, takeover.term(), out, now);
                belong(out);
            }
            case Message.Transfer transfer -> {
                if (registration.transfer(from, transfer.spawner(), out, now)) {
                    holding.lent();
                }
                belong(out);
            }
            case Message.TryElsewhere elsewhere -> registration.tryElsewhere(from, elsewhere.spawner(), out, now);
            case Message.Assign assign -> assign(from, assign, out);
            case Message.RegisterUpdate update -> {
                out.send(from, new Message.RegisterHeard(update.version()));
                update.entries().forEach(entry -> learn(entry, out, now));
            }
            case Message.Holders holders -> {
                if (holding.holders(from, holders, out, now)) {
                    readied = false;
                    standBy(out);
                }
            }
            case Message.Hello hello -> greeted(from, hello, out);
            case Message.Moved moved -> learn(moved.entry(), out, now);
            case Message.Dismissed dismissed when registration.deposed(from) -> {}
            case Message.Dismissed dismissed -> {
                stopped = true;
                out.add(leaving ? new Action.Leave() : new Action.StartAnew());
            }
            case Message.Fenced fenced -> fenced(from, fenced, out);
            case Message.HaloRequest request -> {
                if (blocks.has(request.from())) {
                    out.add(new Action.PublishAgain(request.from(), request.to(), request.step(), request.iteration()));
                }
            }
            case Message.Vote vote -> tree.ifPresent(t -> t.heard(from, vote, out));
            case Message.VoteHeard heard -> tree.ifPresent(t -> t.acknowledged(heard));
            case Message.InStep order -> lockStep.ifPresent(s -> s.received(order, registration.owner(), out));
            case Message.SnapshotRequest request -> snapshots.request(request.step(), request.sid(), out, now);
            case Message.SnapshotHaloRequest request -> snapshots.haloRequested(request, out, now);
            case Message.SnapshotRecheck recheck -> snapshots.recheck(recheck, out, now);
            case Message.SnapshotStore store -> snapshots.store(store.sid(), out);
            case Message.StepCommit commit -> committed(commit, out);
            case Message.SnapshotContinue verdict -> {
                snapshots.continued(verdict.sid(), out);
                tree.ifPresent(t -> t.refused(out));
            }
            case Message.Stop stop -> stop(out);
            case Message.StepsKnown m -> {}
            case Message.Register m -> {}
            case Message.RegisterRequest m -> {}
            case Message.Holding m -> {}
            case Message.BuddyHolders m -> {}
            case Message.Leaving m -> {}
            case Message.SnapshotBroken m -> {}
            case Message.GroupReport m -> {}
            case Message.Plan m -> {}
            case Message.GroupCopy m -> {}
            case Message.GroupCopied m -> {}
            case Message.GroupOwned m -> {}
            case Message.GroupOwnedHeard m -> {}
            case Message.BlocksOffered m -> {}
            case Message.LogWrite m -> {}
            case Message.LogWritten m -> {}
            case Message.LogPromise m -> {}
            case Message.LogPromised m -> {}
            case Message.LogRefused m -> {}
            case Message.RegisterHeard m -> {}
            case Message.Claim m -> {}
            case Message.DaemonReport m -> {}
            case Message.GroupProgress m -> {}
            case Message.BlockFailed m -> {}
            case Message.SnapshotPart m -> {}
            case Message.SnapshotGroupPart m -> {}
            case Message.SnapshotStored m -> {}
            case Message.SnapshotGroupStored m -> {}
            case Message.StoreFailed m -> {}
            case Message.WatchedHeard m -> {}
            case Message.Orphaned m -> {}
            case Message.WatchMessage.Probe probe -> {
                if (registration.knows(from) && registration.knows(probe.suspect())) {
                    witness.asked(from, probe.suspect(), now);
                }
            }
            case Message.WatchMessage m -> {}
        }
    }

    /** Whoever is watched belongs to a group that has its blocks already. */
    private void standBy(Actions out) {
        if (!readied && !blocks.any() && !leaving) {
            readied = true;
            out.add(new Action.StandBy());
        }
    }

    /** The owner may be another one now: it hears what is computed here. */
    private void belong(Actions out) {
        registration.owner().ifPresent(snapshots::reportTo);
        report(out);
    }

    private void assign(NodeId from, Message.Assign assign, Actions out) {
        if (!registration.assigned(from, assign.term(), out) || leaving) {
            return;
        }
        for (RegisterEntry entry : assign.blocks()) {
            if (entry.daemon().id().equals(self.id())) {
                Optional<RegisterEntry> known = register.find(entry.block());
                if (known.isPresent() && known.get().incarnation().compareTo(entry.incarnation()) > 0) {
                    out.send(from, new Message.Fenced(entry.block(), known.get().incarnation()));
                    continue;
                }
                register.merge(entry);
                if (blocks.has(entry.block())) {
                    drop(entry.block(), entry.incarnation(), out);
                }
                Optional<KnownCopy> copy = assign.copies().stream()
                        .filter(each -> each.block() == entry.block())
                        .findFirst();
                if (blocks.assign(entry, copy, out)) {
                    lockStep.ifPresent(s -> s.assigned(entry.block(), entry.incarnation()));
                }
                out.add(new Action.Route(entry));
            }
        }
        report(out);
    }

    /** A block is open again: it takes part, and sends what it restored. */
    private void restored(Event.BlockRestored restored, Actions out, long now) {
        boolean worthSending = restored.iteration().isPresent() || config.scheme() == Scheme.SYNCHRONOUS;
        if (blocks.opened(restored.block(), restored.incarnation(), worthSending, out, now)) {
            if (restored.iteration().isPresent()) {
                blocks.resumes(restored.block(), now);
            }
            inStep(restored.block(), restored.incarnation(), restored.step(), out);
        }
    }

    /** An open block begins to take part, and takes the commits that its state does not know of. */
    private void inStep(int block, Incarnation incarnation, int step, Actions out) {
        blocks.inStep(block, step);
        snapshots.blockOpened(block, step, out);
        steps.opened(block, incarnation, step, out);
        lockStep.ifPresent(s -> s.opened(block, incarnation, out));
        tree.ifPresent(t -> t.opened(block, incarnation, out));
    }

    private void committed(Message.StepCommit commit, Actions out) {
        if (steps.committed(commit.record(), out)) {
            // Only now may the records go: the commit was made of them.
            snapshots.stepOver(commit.record().step(), out);
            // What was claimed was claimed of that step.
            tree.ifPresent(t -> t.refused(out));
        }
    }

    private void taken(Event.StepTaken taken, Actions out) {
        if (steps.taken(taken, out)) {
            snapshots.stepTaken(taken.block(), taken.step(), out);
            blocks.stepTaken(taken.block(), taken.step());
            report(out);
        }
    }

    /** A neighbour greets: an old incarnation is fenced, a lost one told the way, a newer one looked up. */
    private void greeted(NodeId from, Message.Hello hello, Actions out) {
        Optional<RegisterEntry> known = register.find(hello.from());
        int order =
                known.map(e -> e.incarnation().compareTo(hello.incarnation())).orElse(0);
        if (order > 0) {
            out.send(from, new Message.Fenced(hello.from(), known.get().incarnation()));
            return;
        }
        if (order < 0) {
            pull.want(hello.from());
        }
        if (blocks.has(hello.to())) {
            blocks.greeted(hello, out);
        } else {
            register.find(hello.to())
                    .filter(entry -> !entry.daemon().id().equals(self.id()))
                    .ifPresent(entry -> out.send(from, new Message.Moved(entry)));
        }
    }

    private void sayLeaving(Actions out, long now) {
        if (leaving && now >= leaveAgainAt) {
            leaveAgainAt = now + config.retry().toNanos();
            registration
                    .owner()
                    .ifPresentOrElse(
                            owner -> out.send(
                                    owner,
                                    new Message.Leaving(self.id(), lockStep.isPresent() ? List.of() : blocks.busy())),
                            () -> out.add(new Action.Leave()));
        }
        out.wakeAt(leaveAgainAt);
    }

    private void learn(RegisterEntry entry, Actions out, long now) {
        if (register.merge(entry)) {
            if (!entry.daemon().id().equals(self.id())) {
                out.add(new Action.Know(entry.daemon()));
                drop(entry.block(), entry.incarnation(), out);
            }
            blocks.routed(entry, out, now);
            tree.ifPresent(t -> t.served(entry.block(), entry.incarnation(), out));
        }
    }

    /** A block that was served here has a newer incarnation elsewhere. Its owner may not know: whoever gave it may be gone. */
    private void fenced(NodeId from, Message.Fenced fenced, Actions out) {
        boolean served = blocks.has(fenced.block());
        drop(fenced.block(), fenced.newest(), out);
        if (served && !blocks.has(fenced.block())) {
            registration.owner().filter(owner -> !owner.equals(from)).ifPresent(owner -> out.send(owner, fenced));
        }
    }

    /** Another incarnation serves the block: this one's is forgotten. */
    private void drop(int block, Incarnation newest, Actions out) {
        blocks.fenced(block, newest, out);
        if (!blocks.has(block)) {
            snapshots.blockDropped(block);
            steps.dropped(block);
            lockStep.ifPresent(s -> s.dropped(block));
            tree.ifPresent(t -> t.dropped(block));
        }
    }

    /** Tells a sender of old data so, at most once in a retry period. */
    private void fence(Event.OldHaloArrived old, Actions out, long now) {
        // Whoever gave the newest may be gone with all who knew of it; its data would be waited for in vain.
        Incarnation newest = register.find(old.block())
                .map(RegisterEntry::incarnation)
                .filter(known -> known.compareTo(old.newest()) > 0)
                .orElse(old.newest());
        long last = fencedAt.getOrDefault(old.sender(), Long.MIN_VALUE / 2);
        if (newest.compareTo(old.incarnation()) > 0
                && now - last >= config.retry().toNanos()) {
            fencedAt.values().removeIf(at -> now - at >= config.retry().toNanos());
            fencedAt.put(old.sender(), now);
            out.send(old.sender(), new Message.Fenced(old.block(), newest));
        }
    }

    private void overdue(Event.HaloOverdue overdue, Actions out) {
        if (blocks.has(overdue.from())) {
            out.add(new Action.PublishAgain(overdue.from(), overdue.to(), overdue.step(), overdue.iteration()));
            return;
        }
        register.daemonOf(overdue.from())
                .filter(daemon -> !daemon.equals(self.id())) // it was this one, and the block is taken away
                .ifPresent(daemon -> out.send(
                        daemon,
                        new Message.HaloRequest(overdue.from(), overdue.to(), overdue.step(), overdue.iteration())));
    }

    private void report(Actions out) {
        registration
                .owner()
                .ifPresent(owner -> out.send(owner, new Message.DaemonReport(self.id(), blocks.progress())));
    }

    private void stop(Actions out) {
        over = true;
        out.add(new Action.StopComputing());
    }
}
