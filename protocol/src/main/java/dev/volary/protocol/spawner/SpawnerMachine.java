// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.leader.Leader;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.membership.ReachablePeers;
import dev.volary.protocol.membership.SpawnerMonitor;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockOffers;
import dev.volary.protocol.stepping.RecoveredSteps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A spawner's decisions: dispatches events and messages to the parts of the spawner, which are its fields. A spawner takes part
 * in the leader election and leads the job if it won ({@link SpawnerLeadership}), owns a group of daemons and blocks ({@link
 * OwnedGroup}), and takes over groups whose owner is dead ({@link GroupTakeover}). Messages to itself (the {@link Leader} owns
 * a group too) take the same path as all others, without leaving the machine.
 *
 * <p>After {@link SpawnerAction.Finish}, or after the leader's {@link Stop}, it only answers messages with {@link Stop}.
 */
public final class SpawnerMachine implements Machine<SpawnerEvent, SpawnerTurn> {
    private final WorkerId self;
    private final EvictedWorkers evicted;
    private final KnownSpawners spawners;
    private final OwnershipTracker ownership;
    private final RecoveredSteps recoveredSteps;
    private final SpawnerLeadership leadership;
    private final GroupMembers groupMembers;
    private final OwnedGroup group;
    private final ProgressReporter progressReporter;
    private final boolean hasTimeSteps;
    private final SpawnerFailureDetection failureDetection;
    private final DaemonLifecycle daemons;
    private final PlanExecutor planExecutor;
    private final DirectoryReplicas directoryReplicas;
    private final GroupTakeover takeover;
    private final OtherGroups otherGroups;
    private final GroupDispatcher groupDispatcher;
    private final JobEnd end;
    private final ReachablePeers peers;
    /** Whether this spawner was evicted: it does nothing any more. */
    private boolean stopped;

    /**
     * A spawner without a group.
     *
     * @param seed of the jitter of its retries
     */
    public SpawnerMachine(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        this.self = self.id();
        this.hasTimeSteps = graph.hasTimeSteps();
        this.evicted = new EvictedWorkers();
        this.spawners = new KnownSpawners(self.id(), evicted);
        this.ownership = new OwnershipTracker(
                self, config.retry(), config.watch().timeout().multipliedBy(2));
        this.recoveredSteps = new RecoveredSteps();
        this.leadership = new SpawnerLeadership(self, graph, config, spawners, ownership.owners(), recoveredSteps);
        this.groupMembers = new GroupMembers(self, config, seed);
        this.group = new OwnedGroup(graph, config, leadership, groupMembers);
        this.progressReporter = new ProgressReporter(self, config, group, seed);
        this.failureDetection = new SpawnerFailureDetection(
                self, spawners, evicted, leadership, groupMembers, new SpawnerMonitor(self, config, seed));
        this.daemons =
                new DaemonLifecycle(self.id(), config, group, ownership.owners(), spawners, evicted, progressReporter);
        this.planExecutor = new PlanExecutor(self, graph, group, ownership, spawners, leadership, progressReporter);
        this.directoryReplicas = new DirectoryReplicas(config.retry());
        this.takeover =
                new GroupTakeover(self, group, ownership, directoryReplicas, spawners, leadership, progressReporter);
        this.otherGroups = new OtherGroups(
                self.id(),
                group,
                ownership.owners(),
                spawners,
                directoryReplicas,
                new BlockOffers(self, config.retry()));
        this.groupDispatcher = new GroupDispatcher(group, leadership, recoveredSteps);
        this.end = new JobEnd(spawners, leadership, groupMembers);
        this.peers = new ReachablePeers(config.retry());
    }

    /** What this spawner knows of the job; to be called by the thread that runs the machine. */
    public SpawnerView view() {
        return new SpawnerView(
                leadership.leader(),
                leadership.term(),
                leadership.leads(),
                group.isPlanned(),
                end.isOver(),
                hasTimeSteps,
                List.copyOf(spawners.members()),
                groupMembers.members(),
                leadership.progress().orElseGet(groupMembers::reports),
                group.blocks().map(own -> own.assignments().blocks()).orElse(List.of()),
                group.blocks().map(own -> own.assignments().parked()).orElse(List.of()));
    }

    /** How the job ended, once it is over; to be called by the thread that runs the machine. */
    public Optional<Stop> end() {
        return end.stop();
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return evicted.entries()
                + spawners.entries()
                + ownership.entries()
                + recoveredSteps.entries()
                + leadership.entries()
                + group.entries()
                + failureDetection.entries()
                + daemons.entries()
                + directoryReplicas.entries()
                + peers.entries();
    }

    // ---- events ----------------------------------------------------------------------------------------------------

    @Override
    public void on(SpawnerEvent event, SpawnerTurn turn) {
        if (stopped) {
            return;
        }
        if (end.isOver()) {
            end.answer(event, turn);
            return;
        }
        SpawnerTurn step = turn.child();
        failureDetection.observe(event, step);
        switch (event) {
            case SpawnerEvent.Received(WorkerId from, ToSpawner message) -> received(from, message, step);
            case SpawnerEvent.ArbiterAnswered answered -> on(answered, step);
            case SpawnerEvent.RequestEvent e -> on(e, step);
            case SpawnerEvent.CheckpointEvent e -> on(e, step);
            case SpawnerEvent.PartEvent e -> leadership.on(e, step);
            case SpawnerEvent.ResultEvent e -> leadership.on(e, step);
            case WorkerEvent e -> on(e, step);
        }
        settle(step, turn);
        // What a tick finds out may be of use to itself: messages of this spawner to this spawner.
        SpawnerTurn timers = turn.child();
        tick(timers);
        settle(timers, turn);
        if (!end.isOver()) {
            peers.update(turn, this::neededPeers);
        }
    }

    /** The other spawners, the daemons of the group and those that may join it, and those that its blocks were assigned to before. */
    private Set<WorkerId> neededPeers() {
        Set<WorkerId> needed = new TreeSet<>(spawners.ids());
        needed.addAll(failureDetection.monitored());
        ownership.owners().groups().forEach(owner -> needed.add(owner.spawner().id()));
        groupMembers.members().forEach(daemon -> needed.add(daemon.id()));
        needed.addAll(groupMembers.reservations().offered());
        group.blocks()
                .ifPresent(own -> own.assignments()
                        .blocks()
                        .forEach(block -> group.directory().daemonOf(block).ifPresent(needed::add)));
        return needed;
    }

    /** Moves actions to {@code turn}; messages to this spawner are handled, and nothing follows the end. */
    private void settle(SpawnerTurn first, SpawnerTurn turn) {
        ArrayDeque<SpawnerAction> queue = new ArrayDeque<>(first.actions());
        turn.wakeAt(first.wakeUp());
        while (!queue.isEmpty() && !end.isOver()) {
            SpawnerAction action = queue.removeFirst();
            if (action instanceof WorkerAction.Send(WorkerId to, ToSpawner message) && to.equals(self)) {
                SpawnerTurn more = turn.child();
                received(self, message, more);
                turn.wakeAt(more.wakeUp());
                queue.addAll(more.actions());
                // An answer to oneself may be what a timer waited for.
                turn.wakeAt(turn.now());
            } else {
                turn.add(action);
                if (action instanceof SpawnerAction.Finish finish) {
                    end.finish(finish.outcome(), turn);
                }
            }
        }
    }

    private void on(SpawnerEvent.ArbiterAnswered event, SpawnerTurn turn) {
        if (leadership.answered(event.record(), turn)) {
            progressReporter.reportNow(turn.now());
        }
    }

    private void on(SpawnerEvent.RequestEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.SnapshotRequested asked -> leadership.snapshotNow(turn);
            case SpawnerEvent.ScaleRequested scaled -> group.wanted(scaled.daemons());
            case SpawnerEvent.ActiveFor active -> leadership.activeFor(active.time(), turn);
        }
    }

    private void on(SpawnerEvent.CheckpointEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.CheckpointFound found ->
                recoveredSteps.known(new StepMessage.KnownSteps(Optional.of(found.record()), Optional.empty()));
            case SpawnerEvent.CheckpointRefused because -> leadership.checkpointRefused(because.reason());
            case SpawnerEvent.CheckpointSaved kept ->
                turn.emit(new JobEvent.CheckpointSaved(kept.sid(), kept.step(), kept.residual()));
            case SpawnerEvent.CheckpointFailed broken ->
                turn.emit(new JobEvent.CheckpointFailed(broken.sid(), broken.reason()));
        }
    }

    private void on(WorkerEvent event, SpawnerTurn turn) {
        switch (event) {
            // Every event ends with a tick.
            case WorkerEvent.Tick tick -> {}
            case WorkerEvent.SpawnersFound found -> on(found, turn);
            case WorkerEvent.BackupStoreOpened opened ->
                groupMembers.holders().opened(opened.self(), groupMembers.members(), turn);
            case WorkerEvent.Verdicts verdicts -> {
                verdicts.lost().forEach(lost -> failureDetection.lost(lost.member(), turn));
                daemons.lost(verdicts.lost(), turn);
            }
            // The monitor of the other worker's group has taken it into account.
            case WorkerEvent.PeerEvent e -> {}
        }
    }

    private void on(WorkerEvent.SpawnersFound event, SpawnerTurn turn) {
        List<Member> there = event.spawners().stream()
                .filter(member -> !evicted.contains(member.id()))
                .toList();
        // Discovery only adds: it forgets a dead spawner before there is a verdict, which must still find it here.
        there.forEach(member -> spawners.add(member, turn));
        groupMembers.reservations().found(there);
        leadership.found(there, turn);
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    private void received(WorkerId from, ToSpawner message, SpawnerTurn turn) {
        // That the job is over is true whichever spawner reports it: what ends it was in the log.
        if (evicted.contains(from) && !(message instanceof Stop)) {
            receivedFromEvicted(from, message, turn);
            return;
        }
        switch (message) {
            case RegistrationMessage.Request m -> received(m, turn);
            case RegistrationMessage.Evicted m -> restart(turn);
            case BlockMessage.Report m -> groupDispatcher.received(from, m, turn);
            case BlockMessage.DirectoryUpdate m -> groupDispatcher.received(from, m, turn);
            case BlockMessage.StaleIncarnation m -> takeover.fenced(m, turn);
            case SnapshotMessage.Command m -> groupDispatcher.received(from, m, turn);
            case SnapshotMessage.DaemonReply m -> groupDispatcher.received(from, m, turn);
            case SnapshotMessage.GroupReply m -> leadership.received(from, m, turn);
            case StepMessage m -> groupDispatcher.received(m, turn);
            case RollbackMessage.Command m -> groupDispatcher.received(m, turn);
            case RollbackMessage.DaemonReply m -> groupDispatcher.received(from, m, turn);
            case RollbackMessage.GroupReply m -> leadership.forward(from, m, turn);
            case RollbackMessage.BeginEpoch m -> group.rollback(from, m, turn);
            case DetectionMessage.Command m -> groupDispatcher.received(m, turn);
            case DetectionMessage.TestAnswer m -> groupDispatcher.received(m, turn);
            case DetectionMessage.Report m -> leadership.forward(from, m, turn);
            case MembershipMessage m -> failureDetection.received(from, m, turn);
            case BackupMessage.Report m -> received(from, m, turn);
            case ProgressMessage m -> received(from, m, turn);
            case TakeoverMessage m -> received(from, m, turn);
            case LogMessage m -> leadership.received(from, m, turn);
            case Stop m -> end.stop(m, turn);
        }
    }

    private void receivedFromEvicted(WorkerId from, ToSpawner message, SpawnerTurn turn) {
        // If two spawners declared each other dead, the one with the lower id stays; otherwise they would evict each
        // other
        // endlessly.
        if (!(message instanceof RegistrationMessage.Evicted)) {
            turn.send(from, new RegistrationMessage.Evicted());
        } else if (from.compareTo(self) < 0) {
            restart(turn);
        }
    }

    /** Others declared this spawner dead: it restarts with a new identity. */
    private void restart(SpawnerTurn turn) {
        stopped = true;
        turn.add(new WorkerAction.Restart());
    }

    private void received(RegistrationMessage.Request message, SpawnerTurn turn) {
        switch (message) {
            case RegistrationMessage.Register registration -> daemons.registered(registration, turn);
            case RegistrationMessage.Leaving leaving -> daemons.leaves(leaving, turn);
            case RegistrationMessage.SpawnerLost orphan -> failureDetection.orphaned(orphan, turn);
        }
    }

    private void received(WorkerId from, BackupMessage.Report message, SpawnerTurn turn) {
        switch (message) {
            case BackupMessage.HolderReport report -> {
                if (groupMembers.has(from)) {
                    groupMembers.holders().holderReported(report, groupMembers.members(), turn);
                }
            }
            case BackupMessage.BuddyHolders buddy -> {
                if (spawners.has(from)) {
                    groupMembers.holders().buddyReported(from, buddy, groupMembers.members(), turn);
                }
            }
        }
    }

    private void received(WorkerId from, ProgressMessage message, SpawnerTurn turn) {
        switch (message) {
            case ProgressMessage.DaemonReport report -> daemons.reported(report, turn);
            case ProgressMessage.GroupReport report -> leadership.received(from, report, turn);
            case ProgressMessage.GroupProgress progress -> leadership.received(from, progress, turn);
        }
    }

    private void received(WorkerId from, TakeoverMessage message, SpawnerTurn turn) {
        switch (message) {
            case TakeoverMessage.Plan plan -> {
                boolean lostAny = daemons.hasLostAny() || failureDetection.hasLostAny();
                planExecutor.received(from, plan, lostAny, spawner -> failureDetection.isLeftOut(from, spawner), turn);
            }
            case TakeoverMessage.DirectoryReplica copy -> directoryReplicas.copy(from, copy, turn);
            case TakeoverMessage.DirectoryReplicaAck copied ->
                directoryReplicas.copied(from, copied.term(), copied.version());
            case TakeoverMessage.OwnershipClaim claim -> takeover.claimed(from, claim, turn);
            case TakeoverMessage.OwnershipClaimAck ack -> ownership.acknowledged(from, ack.term());
            case TakeoverMessage.BlocksOffered offer -> takeover.offered(offer, turn);
        }
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    private void tick(SpawnerTurn turn) {
        if (end.isOver()) {
            return;
        }
        Optional<WorkerId> leader = leadership.reachableLeader();
        failureDetection.tick(leader, this::knownDaemons, turn);
        daemons.tick(turn);
        takeover.tick(turn);
        group.blocks().ifPresent(own -> tick(own, leader, turn));
        leadership.tick(!groupMembers.members().isEmpty(), turn);
        progressReporter.tick(leader, turn);
        recoveredSteps.tick(self, leader, turn);
    }

    private void tick(BlockGroup own, Optional<WorkerId> leader, SpawnerTurn turn) {
        own.tick(groupMembers.members(), leader, turn);
        otherGroups.tick(own, turn);
    }

    /** Of this group, and of others as far as they are known. */
    private Collection<Member> knownDaemons() {
        List<Member> known = new ArrayList<>(groupMembers.members());
        known.addAll(directoryReplicas.daemons());
        return known;
    }
}
