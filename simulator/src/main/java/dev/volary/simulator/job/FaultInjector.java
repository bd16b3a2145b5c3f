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

    private final SimulationState simulation;
    private final WorkerLauncher workers;
    private final FaultPlan faultPlan;
    private int deaths;
    private int steps;
    private boolean late;
    private int checkpointsKept;
    private boolean suspended;
    private final FailureModel failureModel;
    private final int standbys;
    private boolean iterating;
    private Optional<String> cutOff = Optional.empty();
    private List<SimulatedWorker> onceCutOff = List.of();
    private long cutUntil;

    /**
     * @param failureModel what befalls workers beside the scenario, once all blocks iterate
     * @param standbys daemons that start then
     */
    public FaultInjector(SimulationState simulation, WorkerLauncher workers, FailureModel failureModel, int standbys) {
        this.simulation = simulation;
        this.workers = workers;
        this.failureModel = failureModel;
        this.standbys = standbys;
        this.faultPlan = simulation.scenario.faultPlan();
    }

    /** Plans what happens. */
    public void plan() {
        switch (faultPlan.kind()) {
            case TWICE -> repeat(FaultPlan.FaultKind.ONE, 2);
            case STORM -> repeat(FaultPlan.FaultKind.ONE, 2 * SEVERAL);
            case SLOW_MACHINE -> repeat(FaultPlan.FaultKind.SLOW_MACHINE, 2 * SEVERAL);
            case ANYTHING -> {
                for (int i = 0; i < SEVERAL; i++) {
                    repeat(SURVIVABLE.get(simulation.random.nextInt(SURVIVABLE.size())), 1);
                }
            }
            case LATE ->
                simulation.queue.after(
                        FaultPlan.LATE.toNanos() + simulation.random.nextLong(DETECTION_SPREAD),
                        () -> perturb(FaultPlan.FaultKind.ONE));
            default -> {
                if (faultPlan.kind().isEvent()) {
                    repeat(faultPlan.kind(), 1);
                }
            }
        }
    }

    /** All blocks iterate: standbys start, one after the other, and the failure model takes its course. */
    void allIterate() {
        if (!iterating) {
            iterating = true;
            for (int i = 0; i < standbys; i++) {
                simulation.queue.after(i * STANDBYS_APART, () -> startAnother(Optional.empty()));
            }
            if (!failureModel.equals(FailureModel.NONE)) {
                strike();
            }
        }
    }

    private void strike() {
        if (simulation.checker.ended()) {
            return;
        }
        Map<String, SimulatedWorker> byName = new HashMap<>();
        List<FailureModel.Candidate> alive = new ArrayList<>();
        for (SimulatedWorker node : simulation.nodes.values()) {
            byName.put(node.member.name(), node);
            alive.add(new FailureModel.Candidate(
                    node.member.name(), node instanceof SimulatedSpawner, node.member.zone()));
        }
        for (FailureModel.Failure blow : failureModel.due(simulation.queue.now(), alive)) {
            SimulatedWorker victim = byName.get(blow.worker());
            if (victim == null || !victim.lives()) {
                throw new IllegalArgumentException("no worker " + blow.worker() + " lives");
            }
            simulation.statistics.struck(victim, blow);
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
        simulation.queue.after(FATE_EVERY, this::strike);
    }

    private void dies(SimulatedWorker victim, boolean withHost) {
        gone(victim, !withHost);
        if (victim instanceof SimulatedDaemon daemon) {
            simulation.queue.after(restart(), () -> startAnother(place(daemon)));
        } else {
            simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
            followSpawner();
        }
    }

    /** The zone of who follows this daemon; none if it comes in turn. */
    private Optional<String> place(SimulatedDaemon daemon) {
        return failureModel.equals(FailureModel.NONE) ? Optional.empty() : Optional.of(daemon.member.zone());
    }

    private long restart() {
        return simulation.timing.restart() + simulation.random.nextLong(2 * simulation.timing.restart());
    }

    /** A daemon takes a step of a snapshot: it, or another one, may die soon. */
    void inSnapshot(SimulatedDaemon daemon) {
        inCommit(daemon);
        boolean leader = faultPlan.kind() == FaultPlan.FaultKind.LEAD_IN_SNAPSHOT;
        boolean now = (leader || faultPlan.kind() == FaultPlan.FaultKind.IN_SNAPSHOT)
                && simulation.random.nextDouble() < IN_SNAPSHOT;
        if (now && leader && deaths < SEVERAL && !simulation.checker.ended()) {
            deaths++;
            simulation.queue.after(simulation.random.nextLong(4 * MILLI), this::killLead);
        } else if (now && !leader && deaths < SEVERAL) {
            deaths++;
            List<SimulatedDaemon> alive = simulation.daemons();
            SimulatedDaemon victim =
                    simulation.random.nextBoolean() ? daemon : alive.get(simulation.random.nextInt(alive.size()));
            simulation.queue.after(simulation.random.nextLong(2 * MILLI), () -> {
                if (victim.lives()) {
                    kill(Set.of(victim));
                }
            });
        }
    }

    /** A daemon takes a step of a commit: it, alone or with the holder of its newest backup, may die at once. */
    void inCommit(SimulatedDaemon daemon) {
        boolean may = faultPlan.kind() == FaultPlan.FaultKind.IN_COMMIT
                || faultPlan.kind() == FaultPlan.FaultKind.HOLDER_IN_COMMIT;
        if (may && deaths < SEVERAL && simulation.random.nextDouble() < IN_COMMIT) {
            deaths++;
            long soon = simulation.random.nextBoolean() ? 0 : simulation.random.nextLong(2 * MILLI);
            simulation.queue.after(soon, () -> {
                if (daemon.lives() && !simulation.checker.ended()) {
                    kill(faultPlan.kind() == FaultPlan.FaultKind.IN_COMMIT ? Set.of(daemon) : withHolder(daemon));
                }
            });
        }
    }

    /** A daemon takes its part of a checkpoint: it may die before that is durable. */
    void inCheckpoint(SimulatedDaemon daemon) {
        if (faultPlan.kind() == FaultPlan.FaultKind.IN_CHECKPOINT
                && deaths < SEVERAL
                && simulation.random.nextDouble() < IN_CHECKPOINT) {
            deaths++;
            simulation.queue.after(simulation.random.nextLong(4 * MILLI), () -> {
                if (daemon.lives() && !simulation.checker.ended()) {
                    kill(Set.of(daemon));
                }
            });
        }
    }

    /** A checkpoint is on the volume: the job may be suspended, and go on later under a newer term. */
    void kept() {
        if (faultPlan.kind() != FaultPlan.FaultKind.SUSPEND
                || ++checkpointsKept != 1 + simulation.seed % 2
                || simulation.checker.ended()) {
            return;
        }
        simulation.checker.disturbed(simulation.queue.now() + SUSPENDED + UNWATCHED);
        int daemons = simulation.daemons().size();
        int spawners = simulation.spawners().size();
        simulation.queue.after(simulation.random.nextLong(4 * MILLI), () -> {
            if (simulation.checker.ended()) {
                return;
            }
            suspended = true;
            List.copyOf(simulation.nodes.values()).forEach(this::gone);
            simulation.arbiter = new LeaderElectionRecord(Optional.empty(), simulation.arbiter.term(), List.of());
            simulation.queue.after(SUSPENDED, () -> {
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
        if (suspended && !state && !simulation.scenario.hasTimeSteps()) {
            simulation.checker.violated("block " + block + " begins from nothing though there is a checkpoint");
        }
    }

    /** A daemon's backup is on its way: it may stand still until somebody else has backed the block up. */
    void inBackup(SimulatedDaemon daemon) {
        if (faultPlan.kind() == FaultPlan.FaultKind.PAUSE_IN_BACKUP
                && deaths == 0
                && simulation.random.nextDouble() < IN_BACKUP) {
            deaths++;
            daemon.pause((150 + simulation.random.nextInt(200)) * MILLI);
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
        int most = simulation.scenario.spools() > 0 ? simulation.scenario.spools() - 1 : SEVERAL;
        if (about && deaths < most && simulation.leads(sender) && simulation.random.nextDouble() < IN_COMMIT) {
            deaths++;
            killSpawners(Set.of(sender));
        }
    }

    private void repeat(FaultPlan.FaultKind kind, int times) {
        for (int i = 0; i < times; i++) {
            long span = FaultPlan.LATEST.minus(FaultPlan.EARLIEST).toNanos();
            simulation.queue.after(
                    FaultPlan.EARLIEST.toNanos() + simulation.random.nextLong(span), () -> perturb(kind));
        }
    }

    private void perturb(FaultPlan.FaultKind kind) {
        List<SimulatedDaemon> alive = simulation.daemons();
        if (alive.isEmpty() || simulation.checker.ended()) {
            return;
        }
        SimulatedDaemon victim = alive.get(simulation.random.nextInt(alive.size()));
        switch (kind) {
            case ONE -> kill(Set.of(victim));
            case IN_ROLLBACK -> {
                kill(Set.of(victim));
                simulation.queue.after(simulation.random.nextLong(GOING_BACK), () -> perturb(FaultPlan.FaultKind.ONE));
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
                victim.pause((50 + simulation.random.nextInt(300)) * MILLI);
            }
            case SLOW_MACHINE -> List.copyOf(simulation.nodes.values()).forEach(this::slowDown);
            case FALSE_VERDICT ->
                verdict(
                        Set.of(victim),
                        simulation.random.nextBoolean() ? FailureVerdict.Cause.DEAD : FailureVerdict.Cause.STUCK);
            case PARTITION -> partition(victim, alive);
            case SPAWNER -> killSpawners(Set.of(any(simulation.spawners())));
            case LEAD -> killLead();
            case LEAD_PAUSE ->
                simulation.spawners().stream()
                        .filter(simulation::leads)
                        .forEach(node -> node.pause((100 + simulation.random.nextInt(300)) * MILLI));
            case ALL_SPAWNERS -> killSpawners(simulation.spawners());
            case SPAWNER_AND_SUCCESSOR -> {
                List<SimulatedSpawner> ring = simulation.spawners();
                int first = simulation.random.nextInt(ring.size());
                // In an order of their own: that of Set.of differs from one JVM to the next.
                killSpawners(new LinkedHashSet<>(List.of(ring.get((first + 1) % ring.size()), ring.get(first))));
            }
            case SITE -> {
                SimulatedSpawner spawner = any(simulation.spawners());
                List<SimulatedWorker> site = new ArrayList<>(alive);
                site.removeIf(daemon -> !daemon.member.zone().equals(spawner.member.zone()));
                site.add(spawner);
                powerOff(site);
            }
            case CUT_MACHINE -> cutOff(any(simulation.spawners()).member.host());
            case SPAWNER_AND_DAEMON -> {
                killSpawners(Set.of(any(simulation.spawners())));
                simulation.queue.after(simulation.random.nextLong(MILLI), () -> kill(Set.of(victim)));
            }
            case LEAVE -> victim.handle(new DaemonEvent.ShutdownRequested());
            case SCALE -> {
                SpawnerEvent wanted =
                        new SpawnerEvent.ScaleRequested(simulation.scenario.daemons() + faultPlan.standbys());
                simulation
                        .spawners()
                        .forEach(spawner ->
                                spawner.later(simulation.random.nextLong(LATE_POLL), () -> spawner.handle(wanted)));
            }
            default -> throw new IllegalArgumentException(kind + " is no single event");
        }
    }

    private void slowDown(SimulatedWorker node) {
        if (simulation.random.nextBoolean()) {
            node.pause(simulation.random.nextInt(300) * MILLI);
        }
        for (SimulatedWorker other : simulation.nodes.values()) {
            if (simulation.random.nextDouble() < SLOW_CONNECTIONS) {
                long until = simulation.queue.now() + simulation.random.nextInt(150) * MILLI;
                simulation.separate(node.member.id(), other.member.id(), until);
            }
        }
    }

    /** A process is gone, alone or with its host; a new process follows if the machine starts one. */
    void kill(Set<SimulatedDaemon> victims) {
        for (SimulatedDaemon victim : victims) {
            gone(victim);
            if (faultPlan.restarts()) {
                simulation.queue.after(restart(), this::startAnother);
            }
        }
    }

    /** A node is about to send a control message, which may not get through. */
    void sends(SimulatedWorker node, Message message) {
        boolean verdict = message instanceof LogMessage.Append write && decides(write);
        if (!verdict || !simulation.leads(node) || simulation.checker.ended()) {
            return;
        }
        // It is either the first of these writes that gets through, or none.
        if (faultPlan.kind() == FaultPlan.FaultKind.LEAD_CUT_AT_VERDICT && ++steps == 1 + simulation.seed % 2) {
            isolate(node.member.id());
        } else if (faultPlan.kind() == FaultPlan.FaultKind.LEAD_LATE_AT_VERDICT && ++steps == 1) {
            simulation.holdUp(node.member.id());
            simulation.checker.disturbed(simulation.queue.now() + CUT);
        }
    }

    /** A spawner asks the arbiter to leader: what the leader before it has sent arrives in this very moment, and then nothing. */
    void stands(SimulatedSpawner spawner) {
        if (faultPlan.kind() == FaultPlan.FaultKind.LEAD_LATE_AT_VERDICT
                && steps > 0
                && !late
                && !simulation.leads(spawner)) {
            late = true;
            simulation.letGo();
            simulation.spawners().stream().filter(simulation::leads).forEach(leader -> silence(leader.member.id()));
        }
    }

    /** A node has sent a control message, which is on its way. */
    void sent(SimulatedWorker node, Message message) {
        if (faultPlan.kind() == FaultPlan.FaultKind.LEAD_IN_COMMIT) {
            sentInCommit(node, message);
        }
        if (faultPlan.kind() != FaultPlan.FaultKind.LEAD_AT_MESSAGE
                || !simulation.leads(node)
                || simulation.checker.ended()) {
            return;
        }
        if (step(message) && ++steps == simulation.seed) {
            killSpawners(Set.of(node));
        }
    }

    /** The leader is at a step between its verdict and the end of the job. */
    void delivers(SimulatedSpawner leader) {
        boolean now =
                switch (faultPlan.kind()) {
                    case LEAD_IN_DELIVERY, HOLDERS_IN_DELIVERY, LEAD_CUT_IN_DELIVERY ->
                        simulation.leads(leader) && steps++ == simulation.seed % DELIVERY_STEPS && deaths == 0;
                    default -> false;
                };
        if (!now || simulation.checker.ended()) {
            return;
        }
        deaths++;
        switch (faultPlan.kind()) {
            case LEAD_CUT_IN_DELIVERY -> {
                simulation.checker.disturbed(simulation.queue.now() + CUT);
                isolate(leader.member.id());
            }
            case HOLDERS_IN_DELIVERY -> {
                Set<SimulatedWorker> holders = new LinkedHashSet<>(List.of(leader));
                simulation.partHolders().forEach(holder -> holders.add(holder));
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
        simulation.nodes.keySet().forEach(other -> simulation.cut(leader, other, simulation.queue.now() + CUT));
    }

    private void isolate(WorkerId leader) {
        long until = simulation.queue.now() + CUT;
        for (WorkerId other : simulation.nodes.keySet()) {
            simulation.separate(leader, other, until);
        }
    }

    /** The job is over: whoever keeps the outcome ends the processes that it could not reach before. */
    void over() {
        if (simulation.checker.ended() && simulation.queue.now() >= cutUntil) {
            onceCutOff.stream()
                    .filter(node -> simulation.nodes.containsKey(node.member.id()))
                    .forEach(this::gone);
        }
    }

    private void cutOff(String host) {
        // Before there are groups nobody can tell which side of a cable counts.
        cutOff = Optional.of(host).filter(where -> iterating);
        long until = simulation.queue.now() + CUT + simulation.random.nextLong(CUT / 4);
        List<SimulatedWorker> there = new ArrayList<>(simulation.nodes.values());
        there.removeIf(node -> !node.member.host().equals(host));
        onceCutOff = List.copyOf(there);
        cutUntil = until;
        simulation.queue.after(until - simulation.queue.now(), this::over);
        for (SimulatedWorker here : there) {
            simulation.cut(here.member.id(), SimulationState.ARBITER, until);
            for (SimulatedWorker other : simulation.nodes.values()) {
                if (!other.member.host().equals(host)) {
                    simulation.separate(here.member.id(), other.member.id(), until);
                }
            }
        }
    }

    private <T> T any(List<T> of) {
        return of.get(simulation.random.nextInt(of.size()));
    }

    private void killLead() {
        killSpawners(simulation.spawners().stream().filter(simulation::leads).toList());
    }

    private void killSpawners(Collection<? extends SimulatedWorker> victims) {
        if (simulation.checker.ended()) {
            return;
        }
        for (SimulatedWorker victim : List.copyOf(victims)) {
            gone(victim);
            followSpawner();
        }
        // Before it has said who watches whom, its daemons notice late.
        simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
    }

    private void followSpawner() {
        if (faultPlan.restarts()) {
            simulation.queue.after(restart(), () -> {
                if (!simulation.checker.ended()) {
                    workers.startSpawner(MILLI);
                }
            });
        }
    }

    /** A process ends and comes back under a new identity. */
    void renew(SimulatedDaemon daemon) {
        judgeDismissal(daemon);
        gone(daemon);
        simulation.statistics.dismissed();
        simulation.queue.after(restart(), () -> startAnother(place(daemon)));
    }

    /** A process has left in order. */
    void left(SimulatedDaemon daemon) {
        gone(daemon);
        if (faultPlan.restarts()) {
            simulation.queue.after(restart(), () -> startAnother(place(daemon)));
        }
    }

    /** A spawner that was taken for gone ends. */
    void ended(SimulatedSpawner spawner) {
        judgeDismissal(spawner);
        gone(spawner);
        simulation.statistics.dismissed();
        followSpawner();
    }

    private void judgeDismissal(SimulatedWorker node) {
        if (cutOff.filter(host -> !node.member.host().equals(host)).isPresent()) {
            simulation.checker.violated(node.member.name() + " was taken for gone by a machine that was cut off");
        }
    }

    /** A site is silent, and others of its kind start elsewhere. */
    private void powerOff(List<SimulatedWorker> site) {
        site.forEach(node -> gone(node, false));
        if (faultPlan.restarts()) {
            site.stream()
                    .filter(SimulatedDaemon.class::isInstance)
                    .forEach(daemon -> simulation.queue.after(restart(), this::startAnother));
            followSpawner();
        }
        simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
    }

    /** Its host lives on and refuses connections, or is gone too. */
    private void gone(SimulatedWorker node) {
        gone(node, simulation.random.nextBoolean());
    }

    private void gone(SimulatedWorker node, boolean refuses) {
        WorkerId id = node.member.id();
        simulation.statistics.ended(node, simulation.queue.now());
        simulation.checker.died(id);
        node.die();
        simulation.remove(node);
        simulation.holders.lost(id);
        simulation.sink.lost(id);
        if (simulation.arbiter.logMembers().stream().noneMatch(simulation.nodes::containsKey)) {
            simulation.checker.logLost();
        }
        if (refuses) {
            simulation.refuses(id);
        }
        if (refuses && simulation.timing.resets()) {
            simulation.nodes.values().stream()
                    .filter(other -> other.isConnectedTo(id))
                    .forEach(other -> other.later(
                            simulation.scenario.control().delay().toNanos(),
                            () -> other.handle(new WorkerEvent.ConnectionReset(id))));
        }
    }

    private void startAnother() {
        startAnother(Optional.empty());
    }

    /** Starts a daemon, in this zone or in that whose turn it is. */
    private void startAnother(Optional<String> zone) {
        if (!simulation.checker.ended()) {
            workers.start(zone.map(workers::daemon).orElseGet(workers::daemon), MILLI);
        }
    }

    /** A wrong verdict: spawners hear it in one batch or one by one. */
    private void verdict(Set<SimulatedDaemon> of, FailureVerdict.Cause cause) {
        if (simulation.random.nextBoolean()) {
            verdictAfter(delay(), of.stream().map(d -> d.member.id()).toList(), cause);
        } else {
            of.forEach(daemon -> verdictAfter(delay(), List.of(daemon.member.id()), cause));
        }
    }

    private long delay() {
        return DETECTION + simulation.random.nextLong(DETECTION_SPREAD);
    }

    private void verdictAfter(long delay, List<WorkerId> of, FailureVerdict.Cause cause) {
        simulation.queue.after(delay, () -> {
            List<FailureVerdict> lost =
                    of.stream().map(id -> new FailureVerdict(id, cause, delay)).toList();
            for (SimulatedWorker node : List.copyOf(simulation.nodes.values())) {
                node.run(() -> node.handle(new WorkerEvent.Verdicts(lost)));
            }
        });
    }

    private void partition(SimulatedDaemon victim, List<SimulatedDaemon> alive) {
        long until = simulation.queue.now() + (50 + simulation.random.nextInt(300)) * MILLI;
        boolean outwards = simulation.random.nextBoolean();
        Set<WorkerId> others = new LinkedHashSet<>();
        some(alive, alive.size() / 2).forEach(daemon -> others.add(daemon.member.id()));
        if (simulation.random.nextBoolean()) {
            simulation.nodes.values().stream()
                    .filter(SimulatedSpawner.class::isInstance)
                    .forEach(spawner -> others.add(spawner.member.id()));
        }
        WorkerId id = victim.member.id();
        others.forEach(other -> simulation.cut(outwards ? id : other, outwards ? other : id, until));
    }

    private Set<SimulatedDaemon> some(List<SimulatedDaemon> alive, int number) {
        List<SimulatedDaemon> shuffled = new ArrayList<>(alive);
        Collections.shuffle(shuffled, new Random(simulation.random.nextLong()));
        return new LinkedHashSet<>(shuffled.subList(0, number));
    }

    private Set<SimulatedDaemon> pair(SimulatedDaemon victim) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(victim));
        for (Edge edge : simulation.decomposition.edges()) {
            if (victim.serves(edge.from())) {
                simulation.daemons().stream()
                        .filter(daemon -> both.size() < 2 && daemon.serves(edge.to()))
                        .forEach(both::add);
            }
        }
        return both;
    }

    private Set<SimulatedDaemon> withHolder(SimulatedDaemon victim) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(victim));
        for (int block = 0; block < simulation.decomposition.blocks(); block++) {
            if (victim.serves(block)) {
                simulation
                        .holders
                        .newest(block)
                        .map(backup -> simulation.nodes.get(backup.holder()))
                        .filter(SimulatedDaemon.class::isInstance)
                        .map(SimulatedDaemon.class::cast)
                        .filter(holder -> both.size() < 2)
                        .ifPresent(both::add);
            }
        }
        return both;
    }
}
