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

/** Injects the faults of the scenario into workers. The protocol machines must detect them themselves. */
public final class FaultInjector {
    private static final long MILLI = 1_000_000;
    private static final long FAILURE_MODEL_INTERVAL = 10 * MILLI;
    private static final long STANDBYS_APART = 100 * MILLI;
    private static final long DETECTION = 10 * MILLI;
    private static final long DETECTION_SPREAD = 30 * MILLI;
    private static final long UNWATCHED = 1000 * MILLI;
    private static final long CUT = 400 * MILLI;
    /** All spawners receive a common notice within this time. */
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

    /** All blocks roll back within this time after a death. */
    private static final long ROLLING_BACK = 120 * MILLI;

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
     * @param failureModel injects faults beside the scenario, once all blocks iterate
     * @param standbys daemons that start then
     */
    public FaultInjector(SimulationState simulation, WorkerLauncher workers, FailureModel failureModel, int standbys) {
        this.simulation = simulation;
        this.workers = workers;
        this.failureModel = failureModel;
        this.standbys = standbys;
        this.faultPlan = simulation.scenario.faultPlan();
    }

    /** Schedules the faults of the scenario. */
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
                        () -> inject(FaultPlan.FaultKind.ONE));
            default -> {
                if (faultPlan.kind().isEvent()) {
                    repeat(faultPlan.kind(), 1);
                }
            }
        }
    }

    /** All blocks iterate: standbys start, one after the other, and the failure model becomes active. */
    void allIterate() {
        if (!iterating) {
            iterating = true;
            for (int i = 0; i < standbys; i++) {
                simulation.queue.after(i * STANDBYS_APART, () -> startAnother(Optional.empty()));
            }
            if (!failureModel.equals(FailureModel.NONE)) {
                applyFailureModel();
            }
        }
    }

    private void applyFailureModel() {
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
        for (FailureModel.Failure failure : failureModel.due(simulation.queue.now(), alive)) {
            SimulatedWorker victim = byName.get(failure.worker());
            if (victim == null || !victim.lives()) {
                throw new IllegalArgumentException("no worker " + failure.worker() + " lives");
            }
            simulation.statistics.injected(victim, failure);
            switch (failure) {
                case FailureModel.Failure.Crash crash -> crash(victim, crash.withHost());
                case FailureModel.Failure.Pause pause ->
                    victim.pause(pause.time().toNanos());
                case FailureModel.Failure.Leave leave -> {
                    if (victim instanceof SimulatedDaemon daemon) {
                        daemon.run(() -> daemon.handle(new DaemonEvent.ShutdownRequested()));
                    } else {
                        crash(victim, false);
                    }
                }
            }
        }
        simulation.queue.after(FAILURE_MODEL_INTERVAL, this::applyFailureModel);
    }

    private void crash(SimulatedWorker victim, boolean withHost) {
        end(victim, !withHost);
        if (victim instanceof SimulatedDaemon daemon) {
            simulation.queue.after(restartDelay(), () -> startAnother(replacementZone(daemon)));
        } else {
            simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
            followSpawner();
        }
    }

    /** The zone of the daemon that replaces this one; empty if zones are assigned in turn. */
    private Optional<String> replacementZone(SimulatedDaemon daemon) {
        return failureModel.equals(FailureModel.NONE) ? Optional.empty() : Optional.of(daemon.member.zone());
    }

    private long restartDelay() {
        return simulation.timing.restart() + simulation.random.nextLong(2 * simulation.timing.restart());
    }

    /** A daemon takes a step of a snapshot: it, or another one, may die soon. */
    void inSnapshot(SimulatedDaemon daemon) {
        inCommit(daemon);
        boolean leader = faultPlan.kind() == FaultPlan.FaultKind.LEADER_IN_SNAPSHOT;
        boolean now = (leader || faultPlan.kind() == FaultPlan.FaultKind.IN_SNAPSHOT)
                && simulation.random.nextDouble() < IN_SNAPSHOT;
        if (now && leader && deaths < SEVERAL && !simulation.checker.ended()) {
            deaths++;
            simulation.queue.after(simulation.random.nextLong(4 * MILLI), this::killLeader);
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
            List.copyOf(simulation.nodes.values()).forEach(this::end);
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

    /** A daemon's backup is on its way: it may pause until another daemon has backed the block up. */
    void inBackup(SimulatedDaemon daemon) {
        if (faultPlan.kind() == FaultPlan.FaultKind.PAUSE_IN_BACKUP
                && deaths == 0
                && simulation.random.nextDouble() < IN_BACKUP) {
            deaths++;
            daemon.pause((150 + simulation.random.nextInt(200)) * MILLI);
        }
    }

    /** A message of a commit was sent: its sender may die right after it. */
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
            simulation.queue.after(FaultPlan.EARLIEST.toNanos() + simulation.random.nextLong(span), () -> inject(kind));
        }
    }

    private void inject(FaultPlan.FaultKind kind) {
        List<SimulatedDaemon> alive = simulation.daemons();
        if (alive.isEmpty() || simulation.checker.ended()) {
            return;
        }
        SimulatedDaemon victim = alive.get(simulation.random.nextInt(alive.size()));
        switch (kind) {
            case ONE -> kill(Set.of(victim));
            case IN_ROLLBACK -> {
                kill(Set.of(victim));
                simulation.queue.after(simulation.random.nextLong(ROLLING_BACK), () -> inject(FaultPlan.FaultKind.ONE));
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
            case LEADER -> killLeader();
            case LEADER_PAUSE ->
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

    /** Ends processes, each alone or with its host; a new process follows if the machine starts one. */
    void kill(Set<SimulatedDaemon> victims) {
        for (SimulatedDaemon victim : victims) {
            end(victim);
            if (faultPlan.restarts()) {
                simulation.queue.after(restartDelay(), this::startAnother);
            }
        }
    }

    /** A worker is about to send a control message, which may not get through. */
    void sends(SimulatedWorker node, Message message) {
        boolean verdict = message instanceof LogMessage.Append write && decides(write);
        if (!verdict || !simulation.leads(node) || simulation.checker.ended()) {
            return;
        }
        // It is either the first of these writes that gets through, or none.
        if (faultPlan.kind() == FaultPlan.FaultKind.LEADER_CUT_AT_VERDICT && ++steps == 1 + simulation.seed % 2) {
            isolate(node.member.id());
        } else if (faultPlan.kind() == FaultPlan.FaultKind.LEADER_LATE_AT_VERDICT && ++steps == 1) {
            simulation.holdUp(node.member.id());
            simulation.checker.disturbed(simulation.queue.now() + CUT);
        }
    }

    /** A spawner stands for election: messages of the previous leader that were held up arrive now, and then nothing more. */
    void stands(SimulatedSpawner spawner) {
        if (faultPlan.kind() == FaultPlan.FaultKind.LEADER_LATE_AT_VERDICT
                && steps > 0
                && !late
                && !simulation.leads(spawner)) {
            late = true;
            simulation.releaseHeldUp();
            simulation.spawners().stream().filter(simulation::leads).forEach(leader -> silence(leader.member.id()));
        }
    }

    /** A node has sent a control message, which is on its way. */
    void sent(SimulatedWorker node, Message message) {
        if (faultPlan.kind() == FaultPlan.FaultKind.LEADER_IN_COMMIT) {
            sentInCommit(node, message);
        }
        if (faultPlan.kind() != FaultPlan.FaultKind.LEADER_AT_MESSAGE
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
                    case LEADER_IN_DELIVERY, HOLDERS_IN_DELIVERY, LEADER_CUT_IN_DELIVERY ->
                        simulation.leads(leader) && steps++ == simulation.seed % DELIVERY_STEPS && deaths == 0;
                    default -> false;
                };
        if (!now || simulation.checker.ended()) {
            return;
        }
        deaths++;
        switch (faultPlan.kind()) {
            case LEADER_CUT_IN_DELIVERY -> {
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

    /** The job is over: the platform ends the processes that were cut off before. */
    void over() {
        if (simulation.checker.ended() && simulation.queue.now() >= cutUntil) {
            onceCutOff.stream()
                    .filter(node -> simulation.nodes.containsKey(node.member.id()))
                    .forEach(this::end);
        }
    }

    private void cutOff(String host) {
        // Before there are groups, no side of a cut counts as the job.
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

    private void killLeader() {
        killSpawners(simulation.spawners().stream().filter(simulation::leads).toList());
    }

    private void killSpawners(Collection<? extends SimulatedWorker> victims) {
        if (simulation.checker.ended()) {
            return;
        }
        for (SimulatedWorker victim : List.copyOf(victims)) {
            end(victim);
            followSpawner();
        }
        // Before it has distributed a member list, its daemons detect failures late.
        simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
    }

    private void followSpawner() {
        if (faultPlan.restarts()) {
            simulation.queue.after(restartDelay(), () -> {
                if (!simulation.checker.ended()) {
                    workers.startSpawner(MILLI);
                }
            });
        }
    }

    /** A process ends; another one starts with a new identity. */
    void renew(SimulatedDaemon daemon) {
        checkEviction(daemon);
        end(daemon);
        simulation.statistics.evicted();
        simulation.queue.after(restartDelay(), () -> startAnother(replacementZone(daemon)));
    }

    /** A process has left in order. */
    void left(SimulatedDaemon daemon) {
        end(daemon);
        if (faultPlan.restarts()) {
            simulation.queue.after(restartDelay(), () -> startAnother(replacementZone(daemon)));
        }
    }

    /** A spawner that was declared dead ends. */
    void ended(SimulatedSpawner spawner) {
        checkEviction(spawner);
        end(spawner);
        simulation.statistics.evicted();
        followSpawner();
    }

    private void checkEviction(SimulatedWorker node) {
        if (cutOff.filter(host -> !node.member.host().equals(host)).isPresent()) {
            simulation.checker.violated(node.member.name() + " was declared dead by a machine that was cut off");
        }
    }

    /** A site is silent, and others of its kind start elsewhere. */
    private void powerOff(List<SimulatedWorker> site) {
        site.forEach(node -> end(node, false));
        if (faultPlan.restarts()) {
            site.stream()
                    .filter(SimulatedDaemon.class::isInstance)
                    .forEach(daemon -> simulation.queue.after(restartDelay(), this::startAnother));
            followSpawner();
        }
        simulation.checker.disturbed(simulation.queue.now() + UNWATCHED);
    }

    /** Ends a process. Its host refuses connections from now on, or fails too. */
    private void end(SimulatedWorker node) {
        end(node, simulation.random.nextBoolean());
    }

    private void end(SimulatedWorker node, boolean refuses) {
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
            simulation.refuseConnections(id);
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

    /** A wrong verdict: spawners receive it in one batch or one by one. */
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
