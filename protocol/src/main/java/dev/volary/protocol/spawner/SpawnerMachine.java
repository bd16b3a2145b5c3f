// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.leader.ElectionParticipant;
import dev.volary.protocol.leader.Leader;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
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
import dev.volary.protocol.message.ToLeader;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockDistribution;
import dev.volary.protocol.placement.BlockOffers;
import dev.volary.protocol.stepping.RecoveredSteps;
import dev.volary.protocol.stepping.StepJournal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A spawner's decisions: it takes part in the leader election ({@link ElectionParticipant}), manages the daemons of a group
 * ({@link GroupMembers}) and its blocks ({@link BlockGroup}), takes over groups whose owner is dead ({@link OwnershipTracker}),
 * and if it won, leads the job ({@link Leader}). Messages to itself (the leader owns a group too) take the same path as all
 * others, without leaving the machine.
 *
 * <p>After {@link SpawnerAction.Finish}, or after the leader's {@link Stop}, it only answers messages with {@link Stop}.
 */
public final class SpawnerMachine implements Machine<SpawnerEvent, SpawnerTurn> {
    /** This many workers that were declared dead are evicted again if they come back. */
    private static final int MOST_EVICTED = 64;

    private final Member self;
    private final JobGraph graph;
    private final SpawnerConfig config;
    private final SplittableRandom random;
    private final ElectionParticipant election;
    private final OwnershipTracker ownership;
    private final DirectoryReplicas directoryReplicas;
    private final BlockOffers blockOffers;
    private final GroupMembers groupMembers;
    private final SpawnerMonitor spawnerMonitor;
    private final BlockDirectory directory = new BlockDirectory();
    private final RecoveredSteps recoveredSteps = new RecoveredSteps();
    private final TreeMap<WorkerId, Member> spawners = new TreeMap<>();
    private final LinkedHashSet<WorkerId> evicted = new LinkedHashSet<>();
    private final Map<WorkerId, Long> unownedDaemons = new HashMap<>();
    private Optional<Leader> leaderRole = Optional.empty();
    /** Why the checkpoint that the job should go on from cannot be read, if so. */
    private Optional<String> refused = Optional.empty();

    private Optional<BlockGroup> group = Optional.empty();
    /** Daemons that are to compute. */
    private int wanted;

    private boolean lostAny;
    /** Whether this spawner was evicted: it does nothing any more. */
    private boolean stopped;

    private Optional<Stop> over = Optional.empty();
    private long reportAt;

    /**
     * A spawner without a group.
     *
     * @param seed of the jitter of its retries
     */
    public SpawnerMachine(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        this.self = self;
        this.graph = graph;
        this.config = config;
        this.random = new SplittableRandom(seed);
        this.wanted = config.wanted();
        this.election = new ElectionParticipant(self.id(), config);
        this.ownership = new OwnershipTracker(
                self, config.retry(), config.watch().timeout().multipliedBy(2));
        this.directoryReplicas = new DirectoryReplicas(config.retry());
        this.blockOffers = new BlockOffers(self, config.retry());
        this.groupMembers = new GroupMembers(self, config, seed);
        this.spawnerMonitor = new SpawnerMonitor(self, config, seed);
    }

    @Override
    public void on(SpawnerEvent event, SpawnerTurn turn) {
        if (stopped) {
            return;
        }
        if (over.isPresent()) {
            if (event instanceof SpawnerEvent.Received received
                    && !(received.message() instanceof Stop)
                    && !(received.message() instanceof RegistrationMessage.Evicted)
                    && !(received.message() instanceof MembershipMessage.PeerMessage)) {
                turn.send(received.from(), over.get());
            }
            return;
        }
        SpawnerTurn step = turn.child();
        updateMonitors(event, step);
        switch (event) {
            case SpawnerEvent.Received(WorkerId from, ToSpawner message) -> received(from, message, step);
            case SpawnerEvent.ArbiterAnswered answered -> answered(answered, step);
            case SpawnerEvent.RequestEvent e -> on(e, step);
            case SpawnerEvent.CheckpointEvent e -> on(e, step);
            case SpawnerEvent.ResultEvent e -> leaderRole.ifPresent(l -> l.on(e, step));
            case WorkerEvent e -> on(e, step);
        }
        settle(step, turn);
        // What a tick finds out may be of use to itself: messages of this spawner to this spawner.
        SpawnerTurn timers = turn.child();
        tick(timers);
        settle(timers, turn);
    }

    private void answered(SpawnerEvent.ArbiterAnswered answered, SpawnerTurn turn) {
        if (election.answered(answered.record(), turn)) {
            leaderRole = election.log()
                    .map(log -> new Leader(
                            graph,
                            config,
                            log,
                            new StepJournal(log, recoveredSteps),
                            ownership.owners(),
                            spawners.size() + 1,
                            election.isFirstLeader(),
                            election.term(),
                            turn.now()));
            if (leaderRole.isPresent() && election.isFirstLeader() && refused.isPresent()) {
                leaderRole.get().fail(refused.get());
            }
            reportAt = turn.now();
        }
    }

    private void on(SpawnerEvent.RequestEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.SnapshotRequested asked -> leaderRole.ifPresent(l -> l.snapshotNow(turn));
            case SpawnerEvent.ScaleRequested scaled -> {
                wanted = scaled.daemons();
                group.ifPresent(g -> g.wanted(wanted));
            }
        }
    }

    private void on(SpawnerEvent.CheckpointEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.CheckpointFound found ->
                recoveredSteps.known(new StepMessage.KnownSteps(Optional.of(found.record()), Optional.empty()));
            case SpawnerEvent.CheckpointRefused because -> refused = Optional.of(because.reason());
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
            case WorkerEvent.SpawnersFound found -> found(found, turn);
            case WorkerEvent.BackupStoreOpened opened ->
                groupMembers.holders().opened(opened.self(), groupMembers.members(), turn);
            case WorkerEvent.Verdicts verdicts -> {
                verdicts.lost().forEach(lost -> spawnerLost(lost.member(), turn));
                lost(verdicts.lost(), turn);
            }
            // The monitor of the other worker's group has taken it into account.
            case WorkerEvent.PeerEvent e -> {}
        }
    }

    /** What this spawner knows of the job; to be called by the thread that runs the machine. */
    public SpawnerView view() {
        return new SpawnerView(
                election.leader(),
                election.term(),
                leaderRole.isPresent(),
                group.isPresent(),
                over.isPresent(),
                List.copyOf(spawners.values()),
                groupMembers.members(),
                leaderRole.map(Leader::progress).orElseGet(groupMembers::reports),
                group.map(g -> g.assignments().blocks()).orElse(List.of()),
                group.map(g -> g.assignments().parked()).orElse(List.of()));
    }

    /** How the job ended, once it is over; to be called by the thread that runs the machine. */
    public Optional<Stop> end() {
        return over;
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return election.entries()
                + ownership.entries()
                + directoryReplicas.entries()
                + groupMembers.entries()
                + spawnerMonitor.entries()
                + directory.size()
                + spawners.size()
                + evicted.size()
                + unownedDaemons.size()
                + recoveredSteps.entries()
                + group.map(BlockGroup::entries).orElse(0)
                + leaderRole.map(Leader::entries).orElse(0);
    }

    /** Passes signs of life to the monitor of the spawners or of the group's daemons. */
    private void updateMonitors(SpawnerEvent event, SpawnerTurn turn) {
        if (event instanceof SpawnerEvent.Received(WorkerId from, ToSpawner message)) {
            if (spawners.containsKey(from)) {
                spawnerMonitor.arrived(from, message, turn);
            } else {
                groupMembers.monitor().arrived(from, message, turn);
            }
        } else if (event instanceof WorkerEvent.PeerEvent peer) {
            if (spawners.containsKey(peer.peer())) {
                spawnerMonitor.on(peer, turn);
            } else {
                groupMembers.monitor().on(peer, turn);
            }
        }
    }

    /** Moves actions to {@code turn}; messages to this spawner are handled, and nothing follows the end. */
    private void settle(SpawnerTurn first, SpawnerTurn turn) {
        ArrayDeque<SpawnerAction> queue = new ArrayDeque<>(first.actions());
        turn.wakeAt(first.wakeUp());
        while (!queue.isEmpty() && over.isEmpty()) {
            SpawnerAction action = queue.removeFirst();
            if (action instanceof WorkerAction.Send(WorkerId to, ToSpawner message) && to.equals(self.id())) {
                SpawnerTurn more = turn.child();
                received(self.id(), message, more);
                turn.wakeAt(more.wakeUp());
                queue.addAll(more.actions());
                // An answer to oneself may be what a timer waited for.
                turn.wakeAt(turn.now());
            } else {
                turn.add(action);
                if (action instanceof SpawnerAction.Finish finish) {
                    stop(
                            finish.outcome() instanceof JobOutcome.Failed failed
                                    ? Optional.of(failed.reason())
                                    : Optional.empty(),
                            turn);
                }
            }
        }
    }

    private void found(WorkerEvent.SpawnersFound event, SpawnerTurn turn) {
        List<Member> there = event.spawners().stream()
                .filter(member -> !evicted.contains(member.id()))
                .toList();
        // Discovery only adds: it forgets a dead spawner before there is a verdict, which must still find it here.
        there.forEach(member -> know(member, turn));
        groupMembers.reservations().found(there);
        election.found(there, turn);
    }

    private void know(Member spawner, SpawnerTurn turn) {
        boolean other = !spawner.id().equals(self.id()) && !evicted.contains(spawner.id());
        if (other && !spawner.equals(spawners.put(spawner.id(), spawner))) {
            turn.add(new WorkerAction.AddPeer(spawner));
        }
    }

    private void received(WorkerId from, ToSpawner message, SpawnerTurn turn) {
        // That the job is over is true whichever spawner reports it: what ends it was in the log.
        if (evicted.contains(from) && !(message instanceof Stop)) {
            // If two spawners declared each other dead, the one with the lower id stays; otherwise they would evict
            // each other
            // endlessly.
            if (!(message instanceof RegistrationMessage.Evicted)) {
                turn.send(from, new RegistrationMessage.Evicted());
            } else if (from.compareTo(self.id()) < 0) {
                restart(turn);
            }
            return;
        }
        switch (message) {
            case RegistrationMessage.Request m -> received(m, turn);
            case RegistrationMessage.Evicted d -> restart(turn);
            case BlockMessage.Report m -> received(from, m, turn);
            case BlockMessage.DirectoryUpdate update -> {
                turn.send(from, new BlockMessage.DirectoryAck(update.version()));
                if (group.isPresent()) {
                    group.get().assignments().mergeEntries(update.entries(), turn);
                } else {
                    update.entries().forEach(directory::merge);
                }
            }
            case BlockMessage.StaleIncarnation fenced -> fenced(fenced, turn);
            case SnapshotMessage.Command m -> received(from, m, turn);
            case SnapshotMessage.DaemonReply m -> received(from, m, turn);
            case SnapshotMessage.GroupReply m -> leaderRole.ifPresent(l -> l.received(from, m, turn));
            case StepMessage m -> received(m, turn);
            case RollbackMessage.Command m ->
                answering(BlockGroup::rollback, (rollback, leader) -> rollback.received(m, leader, turn));
            case RollbackMessage.DaemonReply m ->
                answering(BlockGroup::rollback, (rollback, leader) -> rollback.received(from, m, leader, turn));
            case RollbackMessage.GroupReply m -> sendToLeader(from, m, turn);
            case RollbackMessage.BeginEpoch m ->
                group.ifPresent(g -> g.rollback(from, m, groupMembers.candidates(), reachableLeader(), turn));
            case DetectionMessage.Command m ->
                answering(BlockGroup::tokens, (tokens, leader) -> tokens.received(m, leader, turn));
            case DetectionMessage.TestAnswer m ->
                answering(BlockGroup::tokens, (tokens, leader) -> tokens.answered(leader, m, turn));
            case DetectionMessage.Report m -> sendToLeader(from, m, turn);
            case MembershipMessage m -> received(from, m, turn);
            case BackupMessage.Report m -> received(from, m, turn);
            case ProgressMessage m -> received(from, m, turn);
            case TakeoverMessage m -> received(from, m, turn);
            case LogMessage m -> election.received(from, m, turn);
            case Stop stop -> stop(stop.reason(), turn);
        }
    }

    private void received(RegistrationMessage.Request message, SpawnerTurn turn) {
        switch (message) {
            case RegistrationMessage.Register registration -> registered(registration, turn);
            case RegistrationMessage.Leaving leaving -> leaves(leaving, turn);
            case RegistrationMessage.SpawnerLost orphan -> orphaned(orphan, turn);
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
                if (spawners.containsKey(from)) {
                    groupMembers.holders().buddyReported(from, buddy, groupMembers.members(), turn);
                }
            }
        }
    }

    private void received(WorkerId from, ProgressMessage message, SpawnerTurn turn) {
        switch (message) {
            case ProgressMessage.DaemonReport report -> report(report, turn);
            case ProgressMessage.GroupReport report -> leaderRole.ifPresent(l -> l.received(from, report, turn));
            case ProgressMessage.GroupProgress progress -> leaderRole.ifPresent(l -> l.received(from, progress, turn));
        }
    }

    private void received(StepMessage message, SpawnerTurn turn) {
        switch (message) {
            case StepMessage.StepCommit commit -> {
                recoveredSteps.committed(commit.record());
                group.ifPresent(g -> g.commit(commit.record(), turn));
            }
            case StepMessage.KnownSteps known -> recoveredSteps.known(known);
        }
    }

    private void received(WorkerId from, BlockMessage.Report message, SpawnerTurn turn) {
        switch (message) {
            case BlockMessage.DirectoryAck ack ->
                group.ifPresent(g -> g.assignments().acknowledged(from, ack.version()));
            case BlockMessage.DirectoryRequest request ->
                group.ifPresent(g -> g.assignments().sendDirectory(from, turn));
            case BlockMessage.BlockFailed failed -> {
                if (failed.fatal()) {
                    sendToLeader(from, failed, turn);
                } else {
                    group.ifPresent(g -> g.failed(from, failed, groupMembers.candidates(), reachableLeader(), turn));
                }
            }
        }
    }

    private void received(WorkerId from, SnapshotMessage.Command message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.RecordBlocks request ->
                group.ifPresent(g -> g.snapshots().request(from, request.step(), request.sid(), turn));
            case SnapshotMessage.Reevaluate recheck ->
                group.ifPresent(g -> g.snapshots().recheck(recheck, turn));
            case SnapshotMessage.SnapshotStore store ->
                group.ifPresent(g -> g.snapshots().store(from, store.sid(), turn));
            case SnapshotMessage.Discard verdict ->
                group.ifPresent(g -> g.snapshots().close(verdict.sid(), verdict, turn));
        }
    }

    private void received(WorkerId from, SnapshotMessage.DaemonReply message, SpawnerTurn turn) {
        switch (message) {
            case SnapshotMessage.SnapshotPart part ->
                group.ifPresent(
                        g -> reachableLeader().ifPresent(to -> g.snapshots().part(to, part, turn)));
            case SnapshotMessage.SnapshotStored stored -> {
                recoveredSteps.stored(
                        group.map(g -> g.snapshots().stepOf(stored.sid())).orElse(0), stored);
                group.ifPresent(
                        g -> reachableLeader().ifPresent(to -> g.snapshots().stored(to, stored, turn)));
            }
            case SnapshotMessage.StoreFailed failed -> sendToLeader(from, failed, turn);
        }
    }

    private void received(WorkerId from, MembershipMessage message, SpawnerTurn turn) {
        switch (message) {
            case MembershipMessage.MemberListUpdate list -> {
                if (spawners.containsKey(from)) {
                    list.members().forEach(member -> know(member, turn));
                    spawnerMonitor.updateMembers(list, turn).forEach(lost -> spawnerLost(lost, turn));
                }
            }
            case MembershipMessage.MemberListAck ack -> {
                if (spawners.containsKey(from)) {
                    spawnerMonitor.acknowledged(from, ack.version());
                } else {
                    groupMembers.monitor().acknowledged(from, ack.version());
                }
            }
            case MembershipMessage.ProbeAnswer answer -> spawnerMonitor.answered(from, answer, turn.now());
            // The monitor of the sender's group has taken them.
            case MembershipMessage.Heartbeat _,
                    MembershipMessage.Probe _,
                    MembershipMessage.Refutation _,
                    MembershipMessage.Suspicions _,
                    MembershipMessage.Departing _,
                    MembershipMessage.VerdictAnnouncement _ -> {}
        }
    }

    private void received(WorkerId from, TakeoverMessage message, SpawnerTurn turn) {
        switch (message) {
            case TakeoverMessage.Plan plan -> plan(from, plan, turn);
            case TakeoverMessage.DirectoryReplica copy -> directoryReplicas.copy(from, copy, turn);
            case TakeoverMessage.DirectoryReplicaAck copied ->
                directoryReplicas.copied(from, copied.term(), copied.version());
            case TakeoverMessage.OwnershipClaim claim -> claimed(from, claim, turn);
            case TakeoverMessage.OwnershipClaimAck ack -> ownership.acknowledged(from, ack.term());
            case TakeoverMessage.BlocksOffered offer -> offered(offer, turn);
        }
    }

    /** Others declared this spawner dead: it restarts with a new identity. */
    private void restart(SpawnerTurn turn) {
        stopped = true;
        turn.add(new WorkerAction.Restart());
    }

    // ---- daemons ---------------------------------------------------------------------------------------------------

    private void registered(RegistrationMessage.Register registration, SpawnerTurn turn) {
        WorkerId daemon = registration.daemon().id();
        if (groupMembers.register(registration, turn)) {
            reportAt = turn.now();
            group.ifPresent(g -> g.joined(groupMembers.members(), reachableLeader(), turn));
        }
        boolean serves =
                group.filter(g -> !g.assignments().blocksOf(daemon).isEmpty()).isPresent();
        boolean elsewhere =
                registration.owner().filter(id -> !id.equals(self.id())).isPresent();
        if (serves && elsewhere) {
            unownedDaemons.putIfAbsent(
                    daemon, turn.now() + 2 * config.watch().timeout().toNanos());
        } else if (registration.owner().isPresent()) {
            unownedDaemons.remove(daemon);
        }
    }

    /** A daemon of another owner cannot serve this group's blocks, unless the other one has claimed them meanwhile. */
    private void searchUnownedDaemons(SpawnerTurn turn) {
        for (Map.Entry<WorkerId, Long> stray : List.copyOf(unownedDaemons.entrySet())) {
            if (turn.now() >= stray.getValue()) {
                unownedDaemons.remove(stray.getKey());
                FailureVerdict left = new FailureVerdict(stray.getKey(), FailureVerdict.Cause.LEFT, 0);
                group.filter(g -> !g.assignments().blocksOf(left.member()).isEmpty())
                        .ifPresent(g -> g.lost(List.of(left), groupMembers.candidates(), reachableLeader(), turn));
            } else {
                turn.wakeAt(stray.getValue());
            }
        }
    }

    private void report(ProgressMessage.DaemonReport report, SpawnerTurn turn) {
        if (!groupMembers.has(report.daemon())) {
            return;
        }
        groupMembers.report(report);
        Optional<Member> daemon = groupMembers.members().stream()
                .filter(member -> member.id().equals(report.daemon()))
                .findFirst();
        if (group.isPresent() && daemon.isPresent() && group.get().progress(daemon.get(), report, turn)) {
            reportAt = turn.now();
        }
        Set<Integer> own = group.map(g -> Set.copyOf(g.assignments().blocks())).orElse(Set.of());
        Set<WorkerId> owners = new TreeSet<>();
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            Optional<Member> owner = ownership.owners().ownerOf(block.block());
            if (own.contains(block.block()) || owner.isEmpty()) {
                return;
            }
            owners.add(owner.get().id());
        }
        owners.stream()
                .filter(spawners::containsKey)
                .findFirst()
                .map(spawners::get)
                .ifPresent(owner -> turn.send(report.daemon(), new RegistrationMessage.TransferDaemon(owner)));
    }

    /** Workers were declared dead. Those of this group are evicted, whether they live or not. */
    private void lost(List<FailureVerdict> verdicts, SpawnerTurn turn) {
        List<FailureVerdict> ours = groupMembers.lost(verdicts, turn);
        if (ours.isEmpty()) {
            return;
        }
        lostAny = true;
        reportAt = turn.now();
        ours.forEach(lost -> evict(lost.member(), turn));
        group.ifPresent(g -> g.lost(ours, groupMembers.candidates(), reachableLeader(), turn));
    }

    private void leaves(RegistrationMessage.Leaving leaving, SpawnerTurn turn) {
        boolean nothingLeft = group.map(g -> g.leaves(leaving, groupMembers.candidates(), reachableLeader(), turn))
                .orElse(true);
        if (nothingLeft) {
            lost(List.of(new FailureVerdict(leaving.daemon(), FailureVerdict.Cause.LEFT, 0)), turn);
        }
    }

    private void evict(WorkerId worker, SpawnerTurn turn) {
        if (evicted.size() >= MOST_EVICTED) {
            evicted.removeFirst();
        }
        evicted.add(worker);
        unownedDaemons.remove(worker);
        turn.send(worker, new RegistrationMessage.Evicted());
    }

    // ---- other spawners --------------------------------------------------------------------------------------------

    /** A spawner is dead: a successor takes over its blocks, and if it led, another leader is elected. */
    private void spawnerLost(WorkerId spawner, SpawnerTurn turn) {
        Optional<Member> member = Optional.ofNullable(spawners.remove(spawner));
        boolean known = member.isPresent();
        member.ifPresent(lost -> groupMembers.monitor().spawnerLost(lost, turn.now()));
        if (!spawner.equals(self.id())
                && (known || election.leader().filter(spawner::equals).isPresent())) {
            if (known) {
                evict(spawner, turn);
            }
            groupMembers.reservations().spawnerLost(spawner);
            groupMembers.holders().lost(Set.of(spawner), groupMembers.members(), turn);
            election.lost(spawner, turn);
            leaderRole.ifPresent(l -> l.lost(spawner));
            lostAny = true;
        }
    }

    /** A daemon's group has lost its spawner. If it seems so from here too, it is certain. */
    private void orphaned(RegistrationMessage.SpawnerLost orphan, SpawnerTurn turn) {
        WorkerId lost = orphan.spawner();
        Optional<Member> suspect = Optional.ofNullable(spawners.get(lost));
        boolean credible =
                suspect.filter(s -> !self.believes(orphan.daemon(), s)).isEmpty()
                        || spawnerMonitor.isConnected(spawners.values(), lost, turn.now());
        boolean agreed = !lost.equals(self.id())
                && (suspect.isEmpty() || (credible && spawnerMonitor.isSuspect(lost, turn.now())));
        if (agreed) {
            spawnerLost(lost, turn);
            if (groupMembers.reservations().register(orphan.daemon(), Optional.empty(), turn)) {
                throw new IllegalStateException("a daemon that names no spawner cannot join a group");
            }
        }
    }

    /** Takes over the blocks of dead owners when it is this spawner's turn. */
    private void takeOver(SpawnerTurn turn) {
        if (group.isEmpty()) {
            return;
        }
        List<Integer> blocks = new ArrayList<>();
        List<TakeoverMessage.DirectoryReplica> known = new ArrayList<>();
        for (WorkerId owner : ownership.ownersToReplace(
                spawners.navigableKeySet(), directoryReplicas::has, leaderRole.isPresent(), turn)) {
            blocks.addAll(ownership.owners().blocks(owner));
            directoryReplicas.take(owner).ifPresent(known::add);
        }
        if (blocks.isEmpty()) {
            return;
        }
        GroupTerm term = ownership.nextTerm();
        known.forEach(copy -> groupMembers.adopt(term, copy.daemons(), turn));
        take(
                term,
                blocks,
                known.stream().flatMap(copy -> copy.entries().stream()).toList(),
                List.of(),
                false,
                turn);
    }

    /**
     * A block of this group has an incarnation that only the spawner that assigned it knew of. If that one is dead, no spawner
     * claims the block: it is assigned again under a higher incarnation.
     */
    private void fenced(BlockMessage.StaleIncarnation fenced, SpawnerTurn turn) {
        GroupTerm term = fenced.newest().term();
        boolean ours = group.filter(g -> g.assignments().blocks().contains(fenced.block()))
                .isPresent();
        boolean unknown = directory
                .find(fenced.block())
                .filter(entry -> entry.incarnation().compareTo(fenced.newest()) < 0)
                .isPresent();
        boolean claimed = term.owner().equals(self.id()) || spawners.containsKey(term.owner());
        if (ours && unknown && !claimed) {
            ownership.owners().observe(term);
            GroupTerm next = ownership.nextTerm();
            groupMembers.adopt(next, List.of(), turn);
            group.orElseThrow().renew(next, fenced.block(), turn);
            taken(next, List.of(fenced.block()), turn);
        }
    }

    private void take(
            GroupTerm term,
            List<Integer> blocks,
            List<BlockAssignment> entries,
            List<BackupVersion> copiesKnown,
            boolean certain,
            SpawnerTurn turn) {
        groupMembers.adopt(term, List.of(), turn);
        BlockGroup own = group.orElseThrow();
        own.take(term, blocks, entries, groupMembers.members(), certain, turn);
        own.assignments().recordBackups(copiesKnown);
        taken(term, blocks, turn);
    }

    private void taken(GroupTerm term, List<Integer> blocks, SpawnerTurn turn) {
        BlockGroup own = group.orElseThrow();
        ownership.claim(term, own.assignments().blocks(), turn.now());
        own.assignments().updateOtherGroups(ownership.owners().groups(), self.id(), turn);
        turn.emit(new JobEvent.GroupTakenOver(self.id(), term.n(), blocks));
        reportAt = turn.now();
    }

    /** Another spawner claims blocks, maybe some of this group's. */
    private void claimed(WorkerId from, TakeoverMessage.OwnershipClaim claim, SpawnerTurn turn) {
        know(claim.spawner(), turn);
        List<Integer> gained = ownership.claimed(from, claim, turn);
        if (!gained.isEmpty() && group.isPresent()) {
            group.get().cede(gained, turn);
            group.get().assignments().updateOtherGroups(ownership.owners().groups(), self.id(), turn);
        }
    }

    /** Another group has blocks without a daemon: a standby is lent, or they are taken over. */
    private void offered(TakeoverMessage.BlocksOffered offer, SpawnerTurn turn) {
        if (group.isEmpty()) {
            return;
        }
        Optional<Member> idle = group.get()
                .findIdleDaemon(groupMembers.members(), !offer.blocks().isEmpty());
        if (idle.isPresent()) {
            turn.send(idle.get().id(), new RegistrationMessage.TransferDaemon(offer.spawner()));
            return;
        }
        List<Integer> theirs = offer.blocks().stream()
                .filter(block -> ownership
                        .owners()
                        .ownerOf(block)
                        .filter(offer.spawner()::equals)
                        .isPresent())
                .toList();
        List<Integer> room = group.get().roomFor(theirs, groupMembers.members());
        if (!room.isEmpty()) {
            take(ownership.nextTerm(), room, offer.entries(), offer.copies(), true, turn);
        }
    }

    /** Hands over to a part of the group that some jobs have, with the leader that takes its answers, if there is one. */
    private <T> void answering(Function<BlockGroup, Optional<T>> part, BiConsumer<T, WorkerId> what) {
        reachableLeader().ifPresent(leader -> group.flatMap(part).ifPresent(its -> what.accept(its, leader)));
    }

    /** A failure of this group: handled here by the leader, else passed on. */
    private void sendToLeader(WorkerId from, ToLeader failure, SpawnerTurn turn) {
        if (leaderRole.isPresent()) {
            leaderRole.get().received(from, failure, turn);
        } else {
            reachableLeader().ifPresent(to -> turn.send(to, failure));
        }
    }

    /** The leader, if this spawner knows its address: a new one may be elected before it is discovered. */
    private Optional<WorkerId> reachableLeader() {
        return election.leader().filter(id -> id.equals(self.id()) || spawners.containsKey(id));
    }

    private void plan(WorkerId from, TakeoverMessage.Plan plan, SpawnerTurn turn) {
        if (election.leader().filter(from::equals).isEmpty()) {
            return;
        }
        ownership.planned(plan);
        plan.groups().forEach(g -> know(g.spawner(), turn));
        if (group.isEmpty()) {
            Optional<TakeoverMessage.GroupPlan> own = plan.groups().stream()
                    .filter(g -> g.spawner().id().equals(self.id()))
                    .findFirst();
            GroupTerm term = own.map(TakeoverMessage.GroupPlan::term).orElse(new GroupTerm(1, self.id()));
            BlockGroup created = new BlockGroup(graph, config, directory, groupMembers.holders(), term, wanted);
            if (own.filter(g -> g.daemons() > 0).isPresent()) {
                created.assignFirst(own.get(), groupMembers.members(), turn);
                if (!created.assignments().parked().isEmpty() && !lostAny) {
                    sendToLeader(self.id(), misfit(own.get()), turn);
                    return;
                }
            } else if (own.isPresent()) {
                groupMembers.adopt(term, List.of(), turn);
                created.take(term, own.get().blocks(), groupMembers.computed(), groupMembers.members(), true, turn);
            }
            group = Optional.of(created);
            groupMembers
                    .reservations()
                    .planned(daemon -> !created.assignments().blocksOf(daemon).isEmpty());
            created.joined(groupMembers.members(), reachableLeader(), turn);
            groupMembers.monitor().planned(turn.now());
            reportAt = turn.now();
        }
        group.get().assignments().updateOtherGroups(ownership.owners().groups(), self.id(), turn);
    }

    private BlockMessage.BlockFailed misfit(TakeoverMessage.GroupPlan own) {
        int first = own.blocks().getFirst();
        return new BlockMessage.BlockFailed(
                first,
                new Incarnation(own.term(), 1),
                BlockDistribution.reason(graph, own.blocks(), groupMembers.members()),
                true);
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    private void tick(SpawnerTurn turn) {
        if (over.isPresent()) {
            return;
        }
        Optional<WorkerId> leader = reachableLeader();
        leader.ifPresent(owner -> spawnerMonitor
                .tick(owner, election.term(), spawners.values(), this::daemons, turn)
                .forEach(lost -> spawnerLost(lost, turn)));
        List<FailureVerdict> verdicts = groupMembers.tick(turn);
        if (!verdicts.isEmpty()) {
            lost(verdicts, turn);
        }
        searchUnownedDaemons(turn);
        takeOver(turn);
        ownership.tick(spawners.values(), turn);
        group.ifPresent(g -> {
            g.tick(groupMembers.members(), leader, turn);
            directoryReplicas.tick(
                    g.assignments(),
                    groupMembers.reservations(),
                    ElectionParticipant.successors(self.id(), spawners.navigableKeySet()),
                    turn);
            groupMembers.holders().findBuddy(groupMembers.members(), this::otherOwners, turn);
            List<Integer> parked = g.parked();
            blockOffers.tick(
                    g.isCrowded(groupMembers.members()),
                    parked,
                    g.assignments().entriesOf(parked),
                    g.assignments().copiesOf(parked),
                    groupMembers.holders().buddies(),
                    spawners.navigableKeySet(),
                    turn);
        });
        leaderRole.ifPresent(l -> l.tick(this::copyTargets, turn));
        election.tick(spawners.navigableKeySet(), !groupMembers.members().isEmpty(), turn);
        if (leader.isPresent()) {
            if (turn.now() >= reportAt) {
                sendProgress(leader.get(), turn);
            }
            turn.wakeAt(reportAt);
        }
        recoveredSteps.tick(self.id(), leader, turn);
    }

    /** Where a copy of the result may go: spawners on other machines first, each kind in the order of the ring. */
    private List<Member> copyTargets() {
        return ElectionParticipant.successors(self.id(), spawners.navigableKeySet()).stream()
                .map(id -> Objects.requireNonNull(spawners.get(id)))
                .sorted(Comparator.comparing(spawner -> !spawner.isOnAnotherMachine(self)))
                .toList();
    }

    /** Of this group, and of others as far as they are known. */
    private Collection<Member> daemons() {
        List<Member> daemons = new ArrayList<>(groupMembers.members());
        daemons.addAll(directoryReplicas.daemons());
        return daemons;
    }

    /** Living spawners that own blocks; all others if none does. */
    private Collection<Member> otherOwners() {
        List<Member> owners = ownership.owners().groups().stream()
                .map(TakeoverMessage.GroupPlan::spawner)
                .filter(owner -> spawners.containsKey(owner.id()))
                .toList();
        return owners.isEmpty() ? spawners.values() : owners;
    }

    /** Who is in the group until there is a plan, then how it is doing. */
    private void sendProgress(WorkerId to, SpawnerTurn turn) {
        if (group.isPresent()) {
            reportAt = turn.now() + config.reportPeriod().toNanos();
            turn.send(
                    to,
                    new ProgressMessage.GroupProgress(group.get().assignments().term(), groupMembers.reports()));
        } else {
            long period = config.retry().toNanos();
            reportAt = turn.now() + period + random.nextLong(Math.max(1, period / 4));
            turn.send(to, new ProgressMessage.GroupReport(self, groupMembers.members(), groupMembers.computed()));
        }
    }

    private void stop(Optional<String> reason, SpawnerTurn turn) {
        over = Optional.of(new Stop(reason));
        if (leaderRole.isPresent()) {
            spawners.keySet().forEach(id -> turn.send(id, over.get()));
        }
        groupMembers.members().forEach(daemon -> turn.send(daemon.id(), over.get()));
    }
}
