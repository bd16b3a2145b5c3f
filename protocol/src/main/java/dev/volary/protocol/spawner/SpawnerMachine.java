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
import dev.volary.protocol.formation.Assignments;
import dev.volary.protocol.formation.Election;
import dev.volary.protocol.formation.Register;
import dev.volary.protocol.formation.Reservations;
import dev.volary.protocol.formation.Sharing;
import dev.volary.protocol.snapshot.SnapshotGroup;
import dev.volary.protocol.snapshot.SnapshotRules;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A spawner's decisions: it takes part in the election, looks after a group of daemons and, if it won, leads the job. Messages
 * to itself (the lead looks after a group too) take the same path as all others, without leaving the machine.
 *
 * <p>After {@link Action.Finish}, or after the lead's {@link Message.Stop}, it only tells whoever still speaks to stop.
 */
public final class SpawnerMachine implements Machine {
    private final Member self;
    private final JobShape shape;
    private final JobConfig config;
    private final SnapshotRules rules;
    private final SplittableRandom random;
    private final Election election;
    private final Reservations reservations;
    private final Register register = new Register();
    private final ProgressBoard board = new ProgressBoard();
    private Set<NodeId> spawners = Set.of();
    private Optional<Lead> lead = Optional.empty();
    private Optional<Assignments> assignments = Optional.empty();
    private Optional<SnapshotGroup> snapshots = Optional.empty();
    private Optional<Message.Stop> over = Optional.empty();
    private long reportAt;

    /**
     * A spawner without a group.
     *
     * @param seed of the jitter of its retries
     */
    public SpawnerMachine(Member self, JobShape shape, JobConfig config, long seed) {
        this(self, shape, config, seed, SnapshotRules.standard());
    }

    SpawnerMachine(Member self, JobShape shape, JobConfig config, long seed, SnapshotRules rules) {
        this.self = self;
        this.shape = shape;
        this.config = config;
        this.rules = rules;
        this.random = new SplittableRandom(seed);
        this.election = new Election(self.id(), config.retry());
        int fairShare = Math.ceilDiv(config.daemons(), config.spawners());
        this.reservations = new Reservations(self.id(), new GroupTerm(1, self.id()), fairShare, config.groupBound());
    }

    @Override
    public Actions on(Event event, long now) {
        Actions out = new Actions();
        if (over.isPresent()) {
            if (event instanceof Event.Received received && !(received.message() instanceof Message.Stop)) {
                out.send(received.from(), over.get());
            }
            return out;
        }
        Actions step = new Actions();
        switch (event) {
            case Event.Received received -> received(received.from(), received.message(), step, now);
            case Event.SpawnersFound found -> found(found, step, now);
            case Event.ArbiterAnswered answered -> {
                election.answered(answered.record(), step, now);
                if (election.leads() && lead.isEmpty()) {
                    lead = Optional.of(new Lead(shape, config, rules, election.term(), now));
                }
                reportAt = now;
            }
            case Event.ResultAssembled assembled -> lead.ifPresent(l -> l.assembled(assembled.sid(), step));
            case Event.AssemblyBroken broken -> lead.ifPresent(l -> l.fail(broken.reason(), step));
            default -> {}
        }
        settle(step, out, now);
        Actions timers = new Actions();
        tick(timers, now);
        settle(timers, out, now);
        return out;
    }

    /** Number of entries in all tables, for checks that memory stays bounded. */
    public int entries() {
        return reservations.entries()
                + register.size()
                + board.entries()
                + spawners.size()
                + assignments.map(Assignments::entries).orElse(0)
                + snapshots.map(SnapshotGroup::entries).orElse(0)
                + lead.map(Lead::entries).orElse(0);
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
        event.spawners().stream()
                .filter(member -> !member.id().equals(self.id()))
                .forEach(member -> out.add(new Action.Know(member)));
        spawners = event.spawners().stream().map(Member::id).collect(Collectors.toSet());
        reservations.found(event.spawners());
        election.found(event.spawners(), out, now);
    }

    private void received(NodeId from, Message message, Actions out, long now) {
        switch (message) {
            case Message.Register registration -> {
                if (reservations.register(registration.daemon(), registration.owner(), out)) {
                    reportAt = now;
                }
            }
            case Message.Plan plan -> plan(from, plan, out, now);
            case Message.RegisterUpdate update -> {
                out.send(from, new Message.RegisterHeard(update.version()));
                if (assignments.isPresent()) {
                    assignments.get().update(update.entries(), out);
                } else {
                    update.entries().forEach(register::merge);
                }
            }
            case Message.RegisterHeard heard -> assignments.ifPresent(a -> a.heard(from, heard.version()));
            case Message.DaemonReport report -> {
                if (reservations.has(report.daemon())) {
                    board.report(report);
                    assignments.ifPresent(a -> a.progress(report));
                }
            }
            case Message.SnapshotRequest request -> snapshots.ifPresent(s -> s.request(from, request.sid(), out, now));
            case Message.SnapshotRecheck recheck -> snapshots.ifPresent(s -> s.recheck(recheck, out));
            case Message.SnapshotStore store -> snapshots.ifPresent(s -> s.store(from, store.sid(), out, now));
            case Message.SnapshotContinue verdict -> snapshots.ifPresent(s -> s.close(verdict.sid(), verdict, out));
            case Message.SnapshotCommit verdict -> snapshots.ifPresent(s -> s.close(verdict.sid(), verdict, out));
            case Message.SnapshotPart part ->
                snapshots.ifPresent(s -> election.lead().ifPresent(to -> s.part(to, part, out, now)));
            case Message.SnapshotStored stored ->
                snapshots.ifPresent(s -> election.lead().ifPresent(to -> s.stored(to, stored, out)));
            case Message.BlockFailed failed -> toLead(from, failed, out, now);
            case Message.StoreFailed failed -> toLead(from, failed, out, now);
            case Message.Stop stop -> {
                if (lead.isEmpty()) {
                    stop(stop.reason(), out);
                }
            }
            case Message.GroupReport report -> lead.ifPresent(l -> l.received(from, report, out, now));
            case Message.GroupProgress progress -> lead.ifPresent(l -> l.received(from, progress, out, now));
            case Message.SnapshotGroupPart part -> lead.ifPresent(l -> l.received(from, part, out, now));
            case Message.SnapshotGroupStored stored -> lead.ifPresent(l -> l.received(from, stored, out, now));
            case Message.Registered r -> {}
            case Message.TryElsewhere t -> {}
            case Message.Assign a -> {}
            case Message.Hello h -> {}
            case Message.Fenced f -> {}
            case Message.HaloRequest h -> {}
            case Message.SnapshotHaloRequest h -> {}
            case Message.WatchMessage w -> {}
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
        if (assignments.isPresent() || election.lead().filter(from::equals).isEmpty()) {
            return;
        }
        for (Message.GroupPlan own : plan.groups()) {
            if (!own.spawner().id().equals(self.id())) {
                continue;
            }
            assignments = Assignments.of(shape, config.retry(), register, plan, own, reservations.members(), out, now);
            if (assignments.isEmpty()) {
                toLead(self.id(), misfit(own), out, now);
                return;
            }
            snapshots =
                    Optional.of(new SnapshotGroup(shape, register, rules, config.retry(), own.term(), own.blocks()));
            reportAt = now;
        }
    }

    private Message misfit(Message.GroupPlan own) {
        int first = own.blocks().getFirst();
        return new Message.BlockFailed(
                first, new Incarnation(own.term(), 1), Sharing.reason(shape, own.blocks(), reservations.members()));
    }

    private void tick(Actions out, long now) {
        if (over.isPresent()) {
            return;
        }
        election.tick(out, now);
        if (election.lead().isPresent()) {
            if (now >= reportAt) {
                report(election.lead().get(), out, now);
            }
            out.wakeAt(reportAt);
        }
        assignments.ifPresent(a -> a.tick(out, now));
        snapshots.ifPresent(s -> s.tick(out, now));
        lead.ifPresent(l -> l.tick(out, now));
    }

    /** Who is in the group until there is a plan, then how it is doing. */
    private void report(NodeId to, Actions out, long now) {
        if (assignments.isPresent()) {
            reportAt = now + config.reportPeriod().toNanos();
            out.send(to, new Message.GroupProgress(assignments.get().term(), board.all()));
        } else {
            long period = config.retry().toNanos();
            reportAt = now + period + random.nextLong(Math.max(1, period / 4));
            out.send(to, new Message.GroupReport(self, reservations.members()));
        }
    }

    private void stop(Optional<String> reason, Actions out) {
        over = Optional.of(new Message.Stop(reason));
        if (lead.isPresent()) {
            spawners.stream().filter(id -> !id.equals(self.id())).sorted().forEach(id -> out.send(id, over.get()));
        }
        reservations.members().forEach(daemon -> out.send(daemon.id(), over.get()));
    }
}
