package dev.volary.protocol.spawner;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Outcome;
import dev.volary.protocol.Verdict;
import dev.volary.protocol.backup.HolderList;
import dev.volary.protocol.formation.Assignments;
import dev.volary.protocol.formation.Election;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.formation.Reservations;
import dev.volary.protocol.formation.Sharing;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotGroup;
import dev.volary.protocol.snapshot.SnapshotRules;
import dev.volary.protocol.step.StepJournal;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A spawner's decisions: it takes part in the election, looks after a group of daemons and, if it won, leads the job. Messages
 * to itself (the lead looks after a group too) take the same path as all others, without leaving the machine.
 *
 * <p>After {@link Action.Finish}, or after the lead's {@link Message.Stop}, it only tells whoever still speaks to stop.
 */
public final class SpawnerMachine implements Machine {
    /** So many workers that were declared gone are told so if they come back. */
    private static final int MOST_DISMISSED = 64;

    private final Member self;
    private final JobShape shape;
    private final JobConfig config;
    private final SnapshotRules rules;
    private final RollbackRules rollbacks;
    private final SplittableRandom random;
    private final Election election;
    private final Reservations reservations;
    private final Register register = new Register();
    private final HolderList holders;
    private final ProgressBoard board = new ProgressBoard();
    private final GroupWatch watch;
    private final RingWatch ring;
    private final StepJournal steps;
    private final TreeMap<NodeId, Member> spawners = new TreeMap<>();
    private Optional<Lead> lead = Optional.empty();
    private final LinkedHashSet<NodeId> dismissed = new LinkedHashSet<>();
    private Optional<Group> group = Optional.empty();
    private boolean lostAny;
    /** Whether the others took this spawner for gone: it says nothing any more. */
    private boolean stopped;

    private Optional<Message.Stop> over = Optional.empty();
    private long reportAt;

    /**
     * A spawner without a group.
     *
     * @param seed of the jitter of its retries
     */
    public SpawnerMachine(Member self, JobShape shape, JobConfig config, long seed) {
        this(self, shape, config, seed, SnapshotRules.standard(), RollbackRules.standard());
    }

    SpawnerMachine(
            Member self, JobShape shape, JobConfig config, long seed, SnapshotRules rules, RollbackRules rollbacks) {
        this.rollbacks = rollbacks;
        this.self = self;
        this.shape = shape;
        this.config = config;
        this.rules = rules;
        this.random = new SplittableRandom(seed);
        this.election = new Election(self.id(), config.retry());
        this.holders = new HolderList(self.id());
        int fairShare = Math.ceilDiv(config.daemons(), config.spawners());
        this.reservations = new Reservations(self.id(), new GroupTerm(1, self.id()), fairShare, config.groupBound());
        this.watch = new GroupWatch(self, config, seed);
        this.ring = new RingWatch(self, config, seed);
        this.steps = new StepJournal(config.retry());
    }

    @Override
    public Actions on(Event event, long now) {
        Actions out = new Actions();
        if (stopped) {
            return out;
        }
        if (over.isPresent()) {
            if (event instanceof Event.Received received
                    && !(received.message() instanceof Message.Stop)
                    && !(received.message() instanceof Message.WatchMessage)) {
                out.send(received.from(), over.get());
            }
            return out;
        }
        Actions step = new Actions();
        notice(event, step, now);
        switch (event) {
            case Event.Received received -> received(received.from(), received.message(), step, now);
            case Event.SpawnersFound found -> found(found, step, now);
            case Event.ArbiterAnswered answered -> {
                long before = election.term();
                election.answered(answered.record(), step, now);
                if (election.term() > before) {
                    steps.elected(election.term(), election.leads(), now);
                    lead = election.leads()
                            ? Optional.of(new Lead(
                                    shape, config, rules, rollbacks, steps, spawners.size() + 1, election.term(), now))
                            : Optional.empty();
                    group = Optional.empty();
                }
                reportAt = now;
            }
            case Event.StoreOpened opened -> holders.opened(opened.self(), reservations.members(), step, now);
            case Event.ResultAssembled assembled -> lead.ifPresent(l -> l.assembled(assembled.sid(), step));
            case Event.SnapshotAsked asked -> lead.ifPresent(l -> l.snapshotNow(step, now));
            case Event.AssemblyBroken broken -> lead.ifPresent(l -> l.fail(broken.reason(), step));
            case Event.Verdicts verdicts -> {
                verdicts.lost().forEach(lost -> spawnerLost(lost.member(), step, now));
                lost(verdicts.lost(), step, now);
            }
            default -> {}
        }
        settle(step, out, now);
        Actions timers = new Actions();
        tick(timers, now);
        settle(timers, out, now);
        return out;
    }

    /** What can be told of the job from here; to be called by the thread that runs the machine. */
    public SpawnerView view() {
        return new SpawnerView(
                election.lead(),
                election.term(),
                lead.isPresent(),
                group.isPresent(),
                over.isPresent(),
                List.copyOf(spawners.values()),
                reservations.members(),
                lead.map(Lead::progress).orElseGet(board::all),
                group.map(g -> g.assignments().parked()).orElse(List.of()));
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return reservations.entries()
                + register.size()
                + board.entries()
                + spawners.size()
                + dismissed.size()
                + holders.entries()
                + steps.entries()
                + watch.entries()
                + ring.entries()
                + group.map(Group::entries).orElse(0)
                + lead.map(Lead::entries).orElse(0);
    }

    /** What an event says about who lives goes to the watch that the other one belongs to. */
    private void notice(Event event, Actions out, long now) {
        Optional<NodeId> other =
                switch (event) {
                    case Event.Received received -> Optional.of(received.from());
                    case Event.Acknowledged acknowledged -> Optional.of(acknowledged.peer());
                    case Event.ConnectionReset reset -> Optional.of(reset.peer());
                    case Event.Hinted hint -> Optional.of(hint.peer());
                    default -> Optional.empty();
                };
        if (other.filter(spawners::containsKey).isPresent()) {
            ring.on(other.get(), event, out, now);
        } else if (other.isPresent()) {
            watch.on(event, out, now);
        }
    }

    /** Moves actions to {@code out}; messages to this spawner are handled, and nothing follows the end. */
    private void settle(Actions first, Actions out, long now) {
        ArrayDeque<Action> queue = new ArrayDeque<>(first.list());
        out.wakeAt(first.wakeUp());
        while (!queue.isEmpty() && over.isEmpty()) {
            Action action = queue.removeFirst();
            if (action instanceof Action.Send send && send.to().equals(self.id())) {
                Actions more = new Actions();
                received(self.id(), send.message(), more, now);
                out.wakeAt(more.wakeUp());
                queue.addAll(more.list());
            } else {
                out.add(action);
                if (action instanceof Action.Finish finish) {
                    stop(
                            finish.outcome() instanceof Outcome.Failed failed
                                    ? Optional.of(failed.reason())
                                    : Optional.empty(),
                            out);
                }
            }
        }
    }

    private void found(Event.SpawnersFound event, Actions out, long now) {
        List<Member> there = event.spawners().stream()
                .filter(member -> !dismissed.contains(member.id()))
                .toList();
        // Discovery only adds: it forgets a dead spawner before there is a verdict, which must still find it here.
        there.stream().filter(member -> !member.id().equals(self.id())).forEach(member -> know(member, out));
        reservations.found(there);
        election.found(there, out, now);
    }

    private void know(Member spawner, Actions out) {
        if (!spawner.equals(spawners.put(spawner.id(), spawner))) {
            out.add(new Action.Know(spawner));
        }
    }

    private void received(NodeId from, Message message, Actions out, long now) {
        if (dismissed.contains(from)) {
            out.send(from, new Message.Dismissed());
            return;
        }
        switch (message) {
            case Message.Register registration -> {
                if (registration.owner().isEmpty()) {
                    watch.forgotten(from, now);
                }
                if (reservations.register(registration.daemon(), registration.owner(), out)) {
                    reportAt = now;
                    Member daemon = registration.daemon();
                    if (reservations.has(daemon.id())) {
                        holders.joined(daemon, out);
                    } else {
                        holders.lost(Set.of(daemon.id()), reservations.members(), out, now);
                    }
                    group.ifPresent(g -> g.joined(reservations.members(), election.lead(), out, now));
                }
            }
            case Message.Leaving leaving -> leaves(leaving, out, now);
            case Message.Holding holding -> {
                if (reservations.has(from)) {
                    holders.holding(holding, reservations.members(), out, now);
                }
            }
            case Message.RegisterRequest request ->
                group.ifPresent(g -> g.assignments().request(from, out));
            case Message.Plan plan -> plan(from, plan, out, now);
            case Message.RegisterUpdate update -> {
                out.send(from, new Message.RegisterHeard(update.version()));
                if (group.isPresent()) {
                    group.get().assignments().update(update.entries(), out);
                } else {
                    update.entries().forEach(register::merge);
                }
            }
            case Message.RegisterHeard heard ->
                group.ifPresent(g -> g.assignments().heard(from, heard.version()));
            case Message.DaemonReport report -> {
                if (reservations.has(report.daemon())) {
                    board.report(report);
                    if (group.isPresent() && group.get().progress(report)) {
                        reportAt = now;
                    }
                }
            }
            case Message.SnapshotRequest request ->
                group.ifPresent(g -> g.snapshots().request(from, request.step(), request.sid(), out, now));
            case Message.SnapshotRecheck recheck ->
                group.ifPresent(g -> g.snapshots().recheck(recheck, out));
            case Message.SnapshotStore store ->
                group.ifPresent(g -> g.snapshots().store(from, store.sid(), out, now));
            case Message.StepCommit commit -> group.ifPresent(g -> g.commit(commit.record(), out, now));
            case Message.StepWritten written -> steps.written(from, written, out);
            case Message.StepHeard heard -> steps.heard(from, heard);
            case Message.StepsWanted wanted -> steps.asked(from, wanted, out);
            case Message.StepsKnown known -> {
                steps.known(from, known);
                if (reservations.has(from) && lead.isEmpty()) {
                    election.lead().ifPresent(to -> out.send(to, known));
                }
            }
            case Message.SnapshotContinue verdict ->
                group.ifPresent(g -> g.snapshots().close(verdict.sid(), verdict, out));
            case Message.SnapshotCommit verdict ->
                group.ifPresent(g -> g.snapshots().close(verdict.sid(), verdict, out));
            case Message.SnapshotPart part ->
                group.ifPresent(
                        g -> election.lead().ifPresent(to -> g.snapshots().part(to, part, out, now)));
            case Message.SnapshotStored stored ->
                group.ifPresent(
                        g -> election.lead().ifPresent(to -> g.snapshots().stored(to, stored, out)));
            case Message.BlockFailed failed -> {
                if (failed.fatal()) {
                    toLead(from, failed, out, now);
                } else {
                    group.ifPresent(g -> g.failed(from, failed, candidates(), election.lead(), out, now));
                }
            }
            case Message.StoreFailed failed -> toLead(from, failed, out, now);
            case Message.Claim claim -> toLead(from, claim, out, now);
            case Message.InStep inStep -> inStep(from, inStep, out, now);
            case Message.Stop stop -> {
                if (lead.isEmpty()) {
                    stop(stop.reason(), out);
                }
            }
            case Message.GroupReport report -> lead.ifPresent(l -> l.received(from, report, out, now));
            case Message.GroupProgress progress -> lead.ifPresent(l -> l.received(from, progress, out, now));
            case Message.SnapshotGroupPart part -> lead.ifPresent(l -> l.received(from, part, out, now));
            case Message.SnapshotGroupStored stored -> lead.ifPresent(l -> l.received(from, stored, out, now));
            case Message.SnapshotBroken broken -> lead.ifPresent(l -> l.received(from, broken, out, now));
            case Message.Holders h -> {}
            case Message.Watched list -> {
                if (spawners.containsKey(from)) {
                    list.members().stream()
                            .filter(member -> !member.id().equals(self.id()) && !dismissed.contains(member.id()))
                            .forEach(member -> know(member, out));
                    ring.members(list, out, now).forEach(gone -> spawnerLost(gone, out, now));
                }
            }
            case Message.WatchedHeard heard -> {
                if (spawners.containsKey(from)) {
                    ring.heard(from, heard.version());
                } else {
                    watch.heard(from, heard.version());
                }
            }
            case Message.Orphaned orphan -> orphaned(orphan, out, now);
            case Message.Dismissed d -> {
                stopped = true;
                out.add(new Action.StartAnew());
            }
            case Message.Registered r -> {}
            case Message.Moved m -> {}
            case Message.TryElsewhere t -> {}
            case Message.Assign a -> {}
            case Message.Hello h -> {}
            case Message.Fenced f -> {}
            case Message.Vote v -> {}
            case Message.VoteHeard v -> {}
            case Message.HaloRequest h -> {}
            case Message.SnapshotHaloRequest h -> {}
            case Message.WatchMessage w -> {}
        }
    }

    /** A spawner is gone, and its group with it: a new lead's term plans for those that are left. */
    private void spawnerLost(NodeId spawner, Actions out, long now) {
        boolean known = spawners.remove(spawner) != null;
        if (known) {
            steps.lost();
        }
        if (!spawner.equals(self.id())
                && (known || election.lead().filter(spawner::equals).isPresent())) {
            if (known) {
                dismiss(spawner, out);
            }
            reservations.spawnerLost(spawner);
            election.lost(spawner, out, now);
            lostAny = true;
        }
    }

    /** A daemon's group has lost its spawner. If it seems so from here too, it is certain. */
    private void orphaned(Message.Orphaned orphan, Actions out, long now) {
        NodeId gone = orphan.spawner();
        boolean agreed = !gone.equals(self.id()) && (!spawners.containsKey(gone) || ring.doubts(gone, now));
        if (agreed) {
            spawnerLost(gone, out, now);
            if (reservations.register(orphan.daemon(), Optional.empty(), out)) {
                throw new IllegalStateException("a daemon that names no spawner cannot join a group");
            }
        }
    }

    /** Workers are taken for gone. Those of this group are dismissed, whether they live or not. */
    private void lost(List<Verdict> verdicts, Actions out, long now) {
        List<Verdict> ours = verdicts.stream()
                .filter(lost -> reservations.lost(lost.member()))
                .toList();
        if (ours.isEmpty()) {
            return;
        }
        lostAny = true;
        reportAt = now;
        ours.forEach(lost -> dismiss(lost.member(), out));
        holders.lost(ours.stream().map(Verdict::member).toList(), reservations.members(), out, now);
        group.ifPresent(g -> g.lost(ours, candidates(), election.lead(), out, now));
    }

    /** Who may get a block: those first who keep copies already, and so can fetch one at once. */
    private List<Member> candidates() {
        return holders.holdersFirst(reservations.members());
    }

    private void leaves(Message.Leaving leaving, Actions out, long now) {
        boolean nothingLeft = group.map(g -> g.leaves(leaving, candidates(), election.lead(), out, now))
                .orElse(true);
        if (nothingLeft) {
            lost(List.of(new Verdict(leaving.daemon(), Verdict.Cause.LEFT, 0)), out, now);
        }
    }

    private void dismiss(NodeId daemon, Actions out) {
        board.lost(daemon);
        if (dismissed.size() >= MOST_DISMISSED) {
            dismissed.removeFirst();
        }
        dismissed.add(daemon);
        out.send(daemon, new Message.Dismissed());
    }

    /** What only synchronous jobs say: to this group, or to the lead. */
    private void inStep(NodeId from, Message.InStep message, Actions out, long now) {
        switch (message) {
            case Message.InStep.CheckpointDue m -> toLead(from, m, out, now);
            case Message.InStep.StepHeld m -> toLead(from, m, out, now);
            case Message.InStep.RollbackDue m -> toLead(from, m, out, now);
            case Message.InStep.GroupGenerations m -> toLead(from, m, out, now);
            case Message.InStep.GroupCheckpoint m -> toLead(from, m, out, now);
            case Message.InStep.GroupStep m -> toLead(from, m, out, now);
            default -> group.ifPresent(g -> g.inStep(from, message, reservations.members(), election.lead(), out, now));
        }
    }

    /** A failure of this group: handled here by the lead, else passed on. */
    private void toLead(NodeId from, Message failure, Actions out, long now) {
        if (lead.isPresent()) {
            lead.get().received(from, failure, out, now);
        } else {
            election.lead().ifPresent(to -> out.send(to, failure));
        }
    }

    private void plan(NodeId from, Message.Plan plan, Actions out, long now) {
        if (group.isPresent() || election.lead().filter(from::equals).isEmpty()) {
            return;
        }
        for (Message.GroupPlan own : plan.groups()) {
            if (!own.spawner().id().equals(self.id())) {
                continue;
            }
            List<Member> members = reservations.members();
            Assignments assignments = Assignments.of(shape, config.retry(), register, plan, own, members, out, now);
            if (!assignments.parked().isEmpty() && !lostAny) {
                toLead(self.id(), misfit(own), out, now);
                return;
            }
            SnapshotGroup snapshots =
                    new SnapshotGroup(shape, register, rules, config.retry(), own.term(), own.blocks());
            Optional<LockStepGroup> lockStep = config.goesBack(shape)
                    ? Optional.of(new LockStepGroup(
                            rollbacks, config.retry(), register, own.term(), own.blocks(), plan.leadTerm()))
                    : Optional.empty();
            group = Optional.of(new Group(shape, config, register, assignments, snapshots, lockStep));
            reservations.planned(daemon -> !assignments.of(daemon).isEmpty());
            group.get().joined(members, election.lead(), out, now);
            watch.planned(now);
            reportAt = now;
        }
    }

    private Message misfit(Message.GroupPlan own) {
        int first = own.blocks().getFirst();
        return new Message.BlockFailed(
                first,
                new Incarnation(own.term(), 1),
                Sharing.reason(shape, own.blocks(), reservations.members()),
                true);
    }

    private void tick(Actions out, long now) {
        if (over.isPresent()) {
            return;
        }
        election.lead()
                .ifPresent(owner -> ring.tick(owner, election.term(), spawners.values(), out, now)
                        .forEach(gone -> spawnerLost(gone, out, now)));
        List<Verdict> gone = watch.tick(reservations.members(), out, now);
        if (!gone.isEmpty()) {
            lost(gone, out, now);
        }
        election.tick(out, now);
        Optional<NodeId> leader = election.lead().filter(id -> id.equals(self.id()) || spawners.containsKey(id));
        if (leader.isPresent()) {
            if (now >= reportAt) {
                report(leader.get(), out, now);
            }
            out.wakeAt(reportAt);
        }
        holders.tick(out, now);
        if (shape.marches()) {
            steps.tick(spawners.keySet(), out, now);
        }
        group.ifPresent(g -> g.tick(election.lead(), out, now));
        lead.ifPresent(l -> l.tick(out, now));
    }

    /** Who is in the group until there is a plan, then how it is doing. */
    private void report(NodeId to, Actions out, long now) {
        if (group.isPresent()) {
            reportAt = now + config.reportPeriod().toNanos();
            out.send(to, new Message.GroupProgress(group.get().assignments().term(), board.all()));
        } else {
            long period = config.retry().toNanos();
            reportAt = now + period + random.nextLong(Math.max(1, period / 4));
            out.send(to, new Message.GroupReport(self, reservations.members()));
        }
    }

    private void stop(Optional<String> reason, Actions out) {
        over = Optional.of(new Message.Stop(reason));
        if (lead.isPresent()) {
            spawners.keySet().forEach(id -> out.send(id, over.get()));
        }
        reservations.members().forEach(daemon -> out.send(daemon.id(), over.get()));
    }
}
