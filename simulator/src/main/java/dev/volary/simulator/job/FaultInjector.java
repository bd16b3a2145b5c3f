// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.solver.Edge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Does to workers what the scenario says. That somebody is gone is for the machines to find out. */
public final class FaultInjector {
    private static final long MILLI = 1_000_000;
    private static final long FATE_EVERY = 10 * MILLI;
    private static final long STANDBYS_APART = 100 * MILLI;
    private static final long DETECTION = 10 * MILLI;
    private static final long DETECTION_SPREAD = 30 * MILLI;
    private static final long UNWATCHED = 1000 * MILLI;
    private static final long CUT = 400 * MILLI;
    /** Each spawner hears within this time of what all of them are told. */
    private static final long LATE_POLL = 100 * MILLI;

    private static final int SEVERAL = 4;
    /** Assembly begins and ends, a copy begins and ends. */
    private static final int DELIVERY_STEPS = 4;
    /** Probability of a death at each step of a snapshot that a daemon takes. */
    private static final double IN_SNAPSHOT = 0.08;
    /** Probability of a death at each step of a commit. */
    private static final double IN_COMMIT = 0.06;
    /** Probability of a death at each block's part of a checkpoint. */
    private static final double IN_CHECKPOINT = 0.1;
    /** Probability of a pause at each backup. */
    private static final double IN_BACKUP = 0.1;
    /** How long a suspended job has no process. */
    private static final long SUSPENDED = 50 * MILLI;

    /** All go back within this time after a death. */
    private static final long GOING_BACK = 120 * MILLI;

    private static final List<FaultPlan.FaultKind> SURVIVABLE = List.of(
            FaultPlan.FaultKind.ONE,
            FaultPlan.FaultKind.PAIR,
            FaultPlan.FaultKind.OWNER_AND_HOLDER,
            FaultPlan.FaultKind.HALF,
            FaultPlan.FaultKind.ZONE,
            FaultPlan.FaultKind.PAUSE,
            FaultPlan.FaultKind.FALSE_VERDICT,
            FaultPlan.FaultKind.PARTITION,
            FaultPlan.FaultKind.LEAVE);

    /** The share of connections that take long each time. */
    private static final double SLOW_CONNECTIONS = 0.3;

    private final SimulationState world;
    private final WorkerLauncher workers;
    private final FaultPlan chaos;
    private int deaths;
    private int steps;
    private boolean late;
    private int keeps;
    private boolean suspended;
    private final FailureModel fate;
    private final int standbys;
    private boolean iterating;
    private Optional<String> cutOff = Optional.empty();
    private List<SimulatedWorker> onceCutOff = List.of();
    private long cutUntil;

    /**
     * @param fate what befalls workers beside the scenario, once all blocks iterate
     * @param standbys daemons that start then
     */
    public FaultInjector(SimulationState world, WorkerLauncher workers, FailureModel fate, int standbys) {
        this.world = world;
        this.workers = workers;
        this.fate = fate;
        this.standbys = standbys;
        this.chaos = world.scenario.chaos();
    }

    /** Plans what happens. */
    public void plan() {
        switch (chaos.kind()) {
            case TWICE -> repeat(FaultPlan.FaultKind.ONE, 2);
            case STORM -> repeat(FaultPlan.FaultKind.ONE, 2 * SEVERAL);
            case SLOW_MACHINE -> repeat(FaultPlan.FaultKind.SLOW_MACHINE, 2 * SEVERAL);
            case ANYTHING -> {
                for (int i = 0; i < SEVERAL; i++) {
                    repeat(SURVIVABLE.get(world.random.nextInt(SURVIVABLE.size())), 1);
                }
            }
            case LATE ->
                world.agenda.after(
                        FaultPlan.LATE.toNanos() + world.random.nextLong(DETECTION_SPREAD),
                        () -> perturb(FaultPlan.FaultKind.ONE));
            default -> {
                if (chaos.kind().isEvent()) {
                    repeat(chaos.kind(), 1);
                }
            }
        }
    }

    /** All blocks iterate: standbys start, one after the other, and fate takes its course. */
    void allIterate() {
        if (!iterating) {
            iterating = true;
            for (int i = 0; i < standbys; i++) {
                world.agenda.after(i * STANDBYS_APART, () -> startAnother(Optional.empty()));
            }
            if (!fate.equals(FailureModel.NONE)) {
                strike();
            }
        }
    }

    private void strike() {
        if (world.judge.ended()) {
            return;
        }
        Map<String, SimulatedWorker> byName = new HashMap<>();
        List<FailureModel.Candidate> alive = new ArrayList<>();
        for (SimulatedWorker node : world.nodes.values()) {
            byName.put(node.member.name(), node);
            alive.add(new FailureModel.Candidate(
                    node.member.name(), node instanceof SimulatedSpawner, node.member.zone()));
        }
        for (FailureModel.Failure blow : fate.due(world.agenda.now(), alive)) {
            SimulatedWorker victim = byName.get(blow.worker());
            if (victim == null || !victim.lives()) {
                throw new IllegalArgumentException("no worker " + blow.worker() + " lives");
            }
            world.ledger.struck(victim, blow);
            switch (blow) {
                case FailureModel.Failure.Crash death -> dies(victim, death.withHost());
                case FailureModel.Failure.Pause pause ->
                    victim.pause(pause.time().toNanos());
                case FailureModel.Failure.Leave farewell -> {
                    if (victim instanceof SimulatedDaemon daemon) {
                        daemon.run(() -> daemon.handle(new DaemonEvent.ShutdownRequested()));
                    } else {
                        dies(victim, false);
                    }
                }
            }
        }
        world.agenda.after(FATE_EVERY, this::strike);
    }

    private void dies(SimulatedWorker victim, boolean withHost) {
        gone(victim, !withHost);
        if (victim instanceof SimulatedDaemon daemon) {
            world.agenda.after(restart(), () -> startAnother(place(daemon)));
        } else {
            world.judge.disturbed(world.agenda.now() + UNWATCHED);
            followSpawner();
        }
    }

    /** The zone of who follows this daemon; none if it comes in turn. */
    private Optional<String> place(SimulatedDaemon daemon) {
        return fate.equals(FailureModel.NONE) ? Optional.empty() : Optional.of(daemon.member.zone());
    }

    private long restart() {
        return world.tempo.restart() + world.random.nextLong(2 * world.tempo.restart());
    }

    /** A daemon takes a step of a snapshot: it, or another one, may die soon. */
    void inSnapshot(SimulatedDaemon daemon) {
        inCommit(daemon);
        boolean leader = chaos.kind() == FaultPlan.FaultKind.LEAD_IN_SNAPSHOT;
        boolean now =
                (leader || chaos.kind() == FaultPlan.FaultKind.IN_SNAPSHOT) && world.random.nextDouble() < IN_SNAPSHOT;
        if (now && leader && deaths < SEVERAL && !world.judge.ended()) {
            deaths++;
            world.agenda.after(world.random.nextLong(4 * MILLI), this::killLead);
        } else if (now && !leader && deaths < SEVERAL) {
            deaths++;
            List<SimulatedDaemon> alive = world.daemons();
            SimulatedDaemon victim =
                    world.random.nextBoolean() ? daemon : alive.get(world.random.nextInt(alive.size()));
            world.agenda.after(world.random.nextLong(2 * MILLI), () -> {
                if (victim.lives()) {
                    kill(Set.of(victim));
                }
            });
        }
    }

    /** A daemon takes a step of a commit: it, alone or with the holder of its newest backup, may die at once. */
    void inCommit(SimulatedDaemon daemon) {
        boolean may =
                chaos.kind() == FaultPlan.FaultKind.IN_COMMIT || chaos.kind() == FaultPlan.FaultKind.HOLDER_IN_COMMIT;
        if (may && deaths < SEVERAL && world.random.nextDouble() < IN_COMMIT) {
            deaths++;
            long soon = world.random.nextBoolean() ? 0 : world.random.nextLong(2 * MILLI);
            world.agenda.after(soon, () -> {
                if (daemon.lives() && !world.judge.ended()) {
                    kill(chaos.kind() == FaultPlan.FaultKind.IN_COMMIT ? Set.of(daemon) : withHolder(daemon));
                }
            });
        }
    }

    /** A daemon takes its part of a checkpoint: it may die before that is durable. */
    void inCheckpoint(SimulatedDaemon daemon) {
        if (chaos.kind() == FaultPlan.FaultKind.IN_CHECKPOINT
                && deaths < SEVERAL
                && world.random.nextDouble() < IN_CHECKPOINT) {
            deaths++;
            world.agenda.after(world.random.nextLong(4 * MILLI), () -> {
                if (daemon.lives() && !world.judge.ended()) {
                    kill(Set.of(daemon));
                }
            });
        }
    }

    /** A checkpoint is on the volume: the job may be suspended, and go on later under a newer term. */
    void kept() {
        if (chaos.kind() != FaultPlan.FaultKind.SUSPEND || ++keeps != 1 + world.seed % 2 || world.judge.ended()) {
            return;
        }
        world.judge.disturbed(world.agenda.now() + SUSPENDED + UNWATCHED);
        int daemons = world.daemons().size();
        int spawners = world.spawners().size();
        world.agenda.after(world.random.nextLong(4 * MILLI), () -> {
            if (world.judge.ended()) {
                return;
            }
            suspended = true;
            List.copyOf(world.nodes.values()).forEach(this::gone);
            world.arbiter = new LeaderElectionRecord(Optional.empty(), world.arbiter.term(), List.of());
            world.agenda.after(SUSPENDED, () -> {
                for (int i = 0; i < spawners; i++) {
                    workers.startSpawner(MILLI);
                }
                for (int i = 0; i < daemons; i++) {
                    startAnother();
                }
            });
        });
    }

    /** A block is opened again: after a suspension all of them have something to start from. */
    void opens(int block, boolean state) {
        if (suspended && !state && !world.scenario.marches()) {
            world.judge.violated("block " + block + " begins from nothing though there is a checkpoint");
        }
    }

    /** A daemon's backup is on its way: it may stand still until somebody else has backed the block up. */
    void inBackup(SimulatedDaemon daemon) {
        if (chaos.kind() == FaultPlan.FaultKind.PAUSE_IN_BACKUP
                && deaths == 0
                && world.random.nextDouble() < IN_BACKUP) {
            deaths++;
            daemon.pause((150 + world.random.nextInt(200)) * MILLI);
        }
    }

    /** A message of a commit has left: its sender may have said its last word. */
    private void sentInCommit(SimulatedWorker sender, Message message) {
        boolean about =
                switch (message) {
                    case SnapshotMessage.SnapshotStore m -> true;
                    case LogMessage.Append m -> m.records().stream().anyMatch(LogEntry.StepCommitted.class::isInstance);
                    case StepMessage.StepCommit m -> true;
                    default -> false;
                };
        int most = world.scenario.spools() > 0 ? world.scenario.spools() - 1 : SEVERAL;
        if (about && deaths < most && world.leads(sender) && world.random.nextDouble() < IN_COMMIT) {
            deaths++;
            killSpawners(Set.of(sender));
        }
    }

    private void repeat(FaultPlan.FaultKind kind, int times) {
        for (int i = 0; i < times; i++) {
            long span = FaultPlan.LATEST.minus(FaultPlan.EARLIEST).toNanos();
            world.agenda.after(FaultPlan.EARLIEST.toNanos() + world.random.nextLong(span), () -> perturb(kind));
        }
    }

    private void perturb(FaultPlan.FaultKind kind) {
        List<SimulatedDaemon> alive = world.daemons();
        if (alive.isEmpty() || world.judge.ended()) {
            return;
        }
        SimulatedDaemon victim = alive.get(world.random.nextInt(alive.size()));
        switch (kind) {
            case ONE -> kill(Set.of(victim));
            case IN_ROLLBACK -> {
                kill(Set.of(victim));
                world.agenda.after(world.random.nextLong(GOING_BACK), () -> perturb(FaultPlan.FaultKind.ONE));
            }
            case PAIR -> kill(pair(victim));
            case OWNER_AND_HOLDER -> kill(withHolder(victim));
            case HALF -> kill(some(alive, (alive.size() + 1) / 2));
            case ALL -> kill(new LinkedHashSet<>(alive));
            case ZONE -> {
                Set<SimulatedDaemon> zone = new LinkedHashSet<>(alive);
                zone.removeIf(daemon -> !daemon.member.zone().equals(victim.member.zone()));
                kill(zone);
            }
            case PAUSE -> {
                victim.pause((50 + world.random.nextInt(300)) * MILLI);
            }
            case SLOW_MACHINE -> List.copyOf(world.nodes.values()).forEach(this::slowDown);
            case FALSE_VERDICT ->
                verdict(
                        Set.of(victim),
                        world.random.nextBoolean() ? FailureVerdict.Cause.DEAD : FailureVerdict.Cause.STUCK);
            case PARTITION -> partition(victim, alive);
            case SPAWNER -> killSpawners(Set.of(any(world.spawners())));
            case LEAD -> killLead();
            case LEAD_PAUSE ->
                world.spawners().stream()
                        .filter(world::leads)
                        .forEach(node -> node.pause((100 + world.random.nextInt(300)) * MILLI));
            case ALL_SPAWNERS -> killSpawners(world.spawners());
            case SPAWNER_AND_SUCCESSOR -> {
                List<SimulatedSpawner> ring = world.spawners();
                int first = world.random.nextInt(ring.size());
                // In an order of their own: that of Set.of differs from one JVM to the next.
                killSpawners(new LinkedHashSet<>(List.of(ring.get((first + 1) % ring.size()), ring.get(first))));
            }
            case SITE -> {
                SimulatedSpawner spawner = any(world.spawners());
                List<SimulatedWorker> site = new ArrayList<>(alive);
                site.removeIf(daemon -> !daemon.member.zone().equals(spawner.member.zone()));
                site.add(spawner);
                powerOff(site);
            }
            case CUT_MACHINE -> cutOff(any(world.spawners()).member.host());
            case SPAWNER_AND_DAEMON -> {
                killSpawners(Set.of(any(world.spawners())));
                world.agenda.after(world.random.nextLong(MILLI), () -> kill(Set.of(victim)));
            }
            case LEAVE -> victim.handle(new DaemonEvent.ShutdownRequested());
            case SCALE -> {
                SpawnerEvent wanted = new SpawnerEvent.ScaleRequested(world.scenario.daemons() + chaos.standbys());
                world.spawners()
                        .forEach(spawner ->
                                spawner.later(world.random.nextLong(LATE_POLL), () -> spawner.handle(wanted)));
            }
            default -> throw new IllegalArgumentException(kind + " is no single event");
        }
    }

    private void slowDown(SimulatedWorker node) {
        if (world.random.nextBoolean()) {
            node.pause(world.random.nextInt(300) * MILLI);
        }
        for (SimulatedWorker other : world.nodes.values()) {
            if (world.random.nextDouble() < SLOW_CONNECTIONS) {
                long until = world.agenda.now() + world.random.nextInt(150) * MILLI;
                world.separate(node.member.id(), other.member.id(), until);
            }
        }
    }

    /** A process is gone, alone or with its host; a new process follows if the machine starts one. */
    void kill(Set<SimulatedDaemon> victims) {
        for (SimulatedDaemon victim : victims) {
            gone(victim);
            if (chaos.restarts()) {
                world.agenda.after(restart(), this::startAnother);
            }
        }
    }

    /** A node is about to send a control message, which may not get through. */
    void sends(SimulatedWorker node, Message message) {
        boolean verdict = message instanceof LogMessage.Append write && decides(write);
        if (!verdict || !world.leads(node) || world.judge.ended()) {
            return;
        }
        // It is either the first of these writes that gets through, or none.
        if (chaos.kind() == FaultPlan.FaultKind.LEAD_CUT_AT_VERDICT && ++steps == 1 + world.seed % 2) {
            isolate(node.member.id());
        } else if (chaos.kind() == FaultPlan.FaultKind.LEAD_LATE_AT_VERDICT && ++steps == 1) {
            world.holdUp(node.member.id());
            world.judge.disturbed(world.agenda.now() + CUT);
        }
    }

    /** A spawner asks the arbiter to leader: what the leader before it has sent arrives in this very moment, and then nothing. */
    void stands(SimulatedSpawner spawner) {
        if (chaos.kind() == FaultPlan.FaultKind.LEAD_LATE_AT_VERDICT && steps > 0 && !late && !world.leads(spawner)) {
            late = true;
            world.letGo();
            world.spawners().stream().filter(world::leads).forEach(leader -> silence(leader.member.id()));
        }
    }

    /** A node has sent a control message, which is on its way. */
    void sent(SimulatedWorker node, Message message) {
        if (chaos.kind() == FaultPlan.FaultKind.LEAD_IN_COMMIT) {
            sentInCommit(node, message);
        }
        if (chaos.kind() != FaultPlan.FaultKind.LEAD_AT_MESSAGE || !world.leads(node) || world.judge.ended()) {
            return;
        }
        if (step(message) && ++steps == world.seed) {
            killSpawners(Set.of(node));
        }
    }

    /** The leader is at a step between its verdict and the end of the job. */
    void delivers(SimulatedSpawner leader) {
        boolean now =
                switch (chaos.kind()) {
                    case LEAD_IN_DELIVERY, HOLDERS_IN_DELIVERY, LEAD_CUT_IN_DELIVERY ->
                        world.leads(leader) && steps++ == world.seed % DELIVERY_STEPS && deaths == 0;
                    default -> false;
                };
        if (!now || world.judge.ended()) {
            return;
        }
        deaths++;
        switch (chaos.kind()) {
            case LEAD_CUT_IN_DELIVERY -> {
                world.judge.disturbed(world.agenda.now() + CUT);
                isolate(leader.member.id());
            }
            case HOLDERS_IN_DELIVERY -> {
                Set<SimulatedWorker> holders = new LinkedHashSet<>(List.of(leader));
                world.partHolders().forEach(holder -> holders.add(holder));
                killSpawners(holders);
            }
            default -> killSpawners(Set.of(leader));
        }
    }

    private static boolean step(Message message) {
        return switch (message) {
            case TakeoverMessage.Plan m -> true;
            case LogMessage.Append m -> true;
            case SnapshotMessage.RecordBlocks m -> true;
            case SnapshotMessage.Reevaluate m -> true;
            case SnapshotMessage.Discard m -> true;
            case SnapshotMessage.SnapshotStore m -> true;
            case Stop m -> true;
            default -> false;
        };
    }

    private static boolean decides(LogMessage.Append write) {
        return write.records().stream().anyMatch(LogEntry.SnapshotVerdict.class::isInstance);
    }

    private void silence(WorkerId leader) {
        world.nodes.keySet().forEach(other -> world.cut(leader, other, world.agenda.now() + CUT));
    }

    private void isolate(WorkerId leader) {
        long until = world.agenda.now() + CUT;
        for (WorkerId other : world.nodes.keySet()) {
            world.separate(leader, other, until);
        }
    }

    /** The job is over: whoever keeps the outcome ends the processes that it could not reach before. */
    void over() {
        if (world.judge.ended() && world.agenda.now() >= cutUntil) {
            onceCutOff.stream()
                    .filter(node -> world.nodes.containsKey(node.member.id()))
                    .forEach(this::gone);
        }
    }

    private void cutOff(String host) {
        // Before there are groups nobody can tell which side of a cable counts.
        cutOff = Optional.of(host).filter(where -> iterating);
        long until = world.agenda.now() + CUT + world.random.nextLong(CUT / 4);
        List<SimulatedWorker> there = new ArrayList<>(world.nodes.values());
        there.removeIf(node -> !node.member.host().equals(host));
        onceCutOff = List.copyOf(there);
        cutUntil = until;
        world.agenda.after(until - world.agenda.now(), this::over);
        for (SimulatedWorker here : there) {
            world.cut(here.member.id(), SimulationState.ARBITER, until);
            for (SimulatedWorker other : world.nodes.values()) {
                if (!other.member.host().equals(host)) {
                    world.separate(here.member.id(), other.member.id(), until);
                }
            }
        }
    }

    private <T> T any(List<T> of) {
        return of.get(world.random.nextInt(of.size()));
    }

    private void killLead() {
        killSpawners(world.spawners().stream().filter(world::leads).toList());
    }

    private void killSpawners(Collection<? extends SimulatedWorker> victims) {
        if (world.judge.ended()) {
            return;
        }
        for (SimulatedWorker victim : List.copyOf(victims)) {
            gone(victim);
            followSpawner();
        }
        // Before it has said who watches whom, its daemons notice late.
        world.judge.disturbed(world.agenda.now() + UNWATCHED);
    }

    private void followSpawner() {
        if (chaos.restarts()) {
            world.agenda.after(restart(), () -> {
                if (!world.judge.ended()) {
                    workers.startSpawner(MILLI);
                }
            });
        }
    }

    /** A process ends and comes back under a new identity. */
    void renew(SimulatedDaemon daemon) {
        judgeDismissal(daemon);
        gone(daemon);
        world.ledger.dismissed();
        world.agenda.after(restart(), () -> startAnother(place(daemon)));
    }

    /** A process has left in order. */
    void left(SimulatedDaemon daemon) {
        gone(daemon);
        if (chaos.restarts()) {
            world.agenda.after(restart(), () -> startAnother(place(daemon)));
        }
    }

    /** A spawner that was taken for gone ends. */
    void ended(SimulatedSpawner spawner) {
        judgeDismissal(spawner);
        gone(spawner);
        world.ledger.dismissed();
        followSpawner();
    }

    private void judgeDismissal(SimulatedWorker node) {
        if (cutOff.filter(host -> !node.member.host().equals(host)).isPresent()) {
            world.judge.violated(node.member.name() + " was taken for gone by a machine that was cut off");
        }
    }

    /** A site is silent, and others of its kind start elsewhere. */
    private void powerOff(List<SimulatedWorker> site) {
        site.forEach(node -> gone(node, false));
        if (chaos.restarts()) {
            site.stream()
                    .filter(SimulatedDaemon.class::isInstance)
                    .forEach(daemon -> world.agenda.after(restart(), this::startAnother));
            followSpawner();
        }
        world.judge.disturbed(world.agenda.now() + UNWATCHED);
    }

    /** Its host lives on and refuses connections, or is gone too. */
    private void gone(SimulatedWorker node) {
        gone(node, world.random.nextBoolean());
    }

    private void gone(SimulatedWorker node, boolean refuses) {
        WorkerId id = node.member.id();
        world.ledger.ended(node, world.agenda.now());
        world.judge.died(id);
        node.die();
        world.remove(node);
        world.holders.lost(id);
        world.sink.lost(id);
        if (world.arbiter.logMembers().stream().noneMatch(world.nodes::containsKey)) {
            world.judge.logLost();
        }
        if (refuses) {
            world.refuses(id);
        }
        if (refuses && world.tempo.resets()) {
            world.nodes.values().stream()
                    .filter(other -> other.isConnectedTo(id))
                    .forEach(other -> other.later(
                            world.scenario.control().delay().toNanos(),
                            () -> other.handle(new WorkerEvent.ConnectionReset(id))));
        }
    }

    private void startAnother() {
        startAnother(Optional.empty());
    }

    /** Starts a daemon, in this zone or in that whose turn it is. */
    private void startAnother(Optional<String> zone) {
        if (!world.judge.ended()) {
            workers.start(zone.map(workers::daemon).orElseGet(workers::daemon), MILLI);
        }
    }

    /** A wrong verdict: spawners hear it in one batch or one by one. */
    private void verdict(Set<SimulatedDaemon> of, FailureVerdict.Cause cause) {
        if (world.random.nextBoolean()) {
            verdictAfter(delay(), of.stream().map(d -> d.member.id()).toList(), cause);
        } else {
            of.forEach(daemon -> verdictAfter(delay(), List.of(daemon.member.id()), cause));
        }
    }

    private long delay() {
        return DETECTION + world.random.nextLong(DETECTION_SPREAD);
    }

    private void verdictAfter(long delay, List<WorkerId> of, FailureVerdict.Cause cause) {
        world.agenda.after(delay, () -> {
            List<FailureVerdict> lost =
                    of.stream().map(id -> new FailureVerdict(id, cause, delay)).toList();
            for (SimulatedWorker node : List.copyOf(world.nodes.values())) {
                node.run(() -> node.handle(new WorkerEvent.Verdicts(lost)));
            }
        });
    }

    private void partition(SimulatedDaemon victim, List<SimulatedDaemon> alive) {
        long until = world.agenda.now() + (50 + world.random.nextInt(300)) * MILLI;
        boolean outwards = world.random.nextBoolean();
        Set<WorkerId> others = new LinkedHashSet<>();
        some(alive, alive.size() / 2).forEach(daemon -> others.add(daemon.member.id()));
        if (world.random.nextBoolean()) {
            world.nodes.values().stream()
                    .filter(SimulatedSpawner.class::isInstance)
                    .forEach(spawner -> others.add(spawner.member.id()));
        }
        WorkerId id = victim.member.id();
        others.forEach(other -> world.cut(outwards ? id : other, outwards ? other : id, until));
    }

    private Set<SimulatedDaemon> some(List<SimulatedDaemon> alive, int number) {
        List<SimulatedDaemon> shuffled = new ArrayList<>(alive);
        Collections.shuffle(shuffled, new Random(world.random.nextLong()));
        return new LinkedHashSet<>(shuffled.subList(0, number));
    }

    private Set<SimulatedDaemon> pair(SimulatedDaemon victim) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(victim));
        for (Edge edge : world.decomposition.edges()) {
            if (victim.serves(edge.from())) {
                world.daemons().stream()
                        .filter(daemon -> both.size() < 2 && daemon.serves(edge.to()))
                        .forEach(both::add);
            }
        }
        return both;
    }

    private Set<SimulatedDaemon> withHolder(SimulatedDaemon victim) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(victim));
        for (int block = 0; block < world.decomposition.blocks(); block++) {
            if (victim.serves(block)) {
                world.holders
                        .newest(block)
                        .map(backup -> world.nodes.get(backup.holder()))
                        .filter(SimulatedDaemon.class::isInstance)
                        .map(SimulatedDaemon.class::cast)
                        .filter(holder -> both.size() < 2)
                        .ifPresent(both::add);
            }
        }
        return both;
    }
}
