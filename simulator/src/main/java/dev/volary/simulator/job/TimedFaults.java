// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.FaultPlan.FaultKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Injects the faults that happen at a time drawn from the seed, whatever the job does then. */
final class TimedFaults {
    private static final long MILLI = 1_000_000;
    private static final long DETECTION = 10 * MILLI;
    private static final long DETECTION_SPREAD = 30 * MILLI;
    /** All spawners receive a common notice within this time. */
    private static final long LATE_POLL = 100 * MILLI;
    /** All blocks roll back within this time after a death. */
    private static final long ROLLING_BACK = 120 * MILLI;

    /** Replacements iterate again within less than this time, though without the values of their blocks. */
    private static final long BEFORE_DEADLINE = 150 * MILLI;

    /** Spawners that died have been replaced within this time, and the new ones know the job. */
    private static final long IN_TURN = 200 * MILLI;

    private static final int SEVERAL = 4;
    /** How long a machine is overloaded, how late its processes wake up, and how long they run then. */
    private static final long STARVED = 300 * MILLI;

    private static final long LONGEST_LATENESS = 120 * MILLI;
    private static final long SLICE = 8 * MILLI;

    private static final List<FaultKind> SURVIVABLE = List.of(
            FaultKind.ONE,
            FaultKind.PAIR,
            FaultKind.OWNER_AND_HOLDER,
            FaultKind.HALF,
            FaultKind.ZONE,
            FaultKind.PAUSE,
            FaultKind.FALSE_VERDICT,
            FaultKind.PARTITION,
            FaultKind.LEAVE);

    private final SimulationState simulation;
    private final FaultPlan faultPlan;
    private final FaultTargets targets;
    private final WorkerCrashes crashes;
    private final NetworkCuts cuts;

    TimedFaults(SimulationState simulation, FaultTargets targets, WorkerCrashes crashes, NetworkCuts cuts) {
        this.simulation = simulation;
        this.faultPlan = simulation.scenario.faultPlan();
        this.targets = targets;
        this.crashes = crashes;
        this.cuts = cuts;
    }

    /** Schedules the faults of the scenario. */
    void plan() {
        switch (faultPlan.kind()) {
            case TWICE -> repeat(FaultKind.ONE, 2);
            case STORM -> repeat(FaultKind.ONE, 2 * SEVERAL);
            case STARVED_MACHINE -> repeat(FaultKind.STARVED_MACHINE, SEVERAL);
            case SLOW_MACHINE -> repeat(FaultKind.SLOW_MACHINE, 2 * SEVERAL);
            case ANYTHING -> {
                for (int i = 0; i < SEVERAL; i++) {
                    repeat(targets.any(SURVIVABLE), 1);
                }
            }
            case BEFORE_DEADLINE -> {
                long deadline = simulation.scenario.deadline().orElseThrow().toNanos();
                simulation.queue.after(deadline - simulation.random.nextLong(BEFORE_DEADLINE), () -> {
                    inject(FaultKind.HALF);
                    if (simulation.seed % 4 == 3) {
                        inject(FaultKind.LEADER);
                    }
                });
            }
            case LATE -> {
                long at = FaultPlan.LATE.toNanos() + simulation.random.nextLong(DETECTION_SPREAD);
                simulation.queue.after(at, () -> inject(FaultKind.ONE));
            }
            case NEW_OWNER_AND_HOLDERS ->
                simulation.queue.after(FaultPlan.LATE.toNanos(), () -> inject(FaultKind.SCALE));
            default -> {
                if (faultPlan.kind().isEvent()) {
                    repeat(faultPlan.kind(), 1);
                }
            }
        }
    }

    private void repeat(FaultKind kind, int times) {
        for (int i = 0; i < times; i++) {
            long span = FaultPlan.LATEST.minus(FaultPlan.EARLIEST).toNanos();
            simulation.queue.after(FaultPlan.EARLIEST.toNanos() + simulation.random.nextLong(span), () -> inject(kind));
        }
    }

    private void inject(FaultKind kind) {
        List<SimulatedDaemon> alive = simulation.daemons();
        if (alive.isEmpty() || simulation.checker.hasEnded()) {
            return;
        }
        SimulatedDaemon victim = targets.any(alive);
        switch (kind) {
            case ONE -> crashes.killDaemons(Set.of(victim));
            case IN_ROLLBACK -> {
                crashes.killDaemons(Set.of(victim));
                simulation.queue.after(simulation.random.nextLong(ROLLING_BACK), () -> inject(FaultKind.ONE));
            }
            case PAIR -> crashes.killDaemons(targets.withNeighbor(victim));
            case OWNER_AND_HOLDER -> crashes.killDaemons(targets.withHolder(victim));
            case HALF -> crashes.killDaemons(targets.some(alive, (alive.size() + 1) / 2));
            case ALL -> crashes.killDaemons(new LinkedHashSet<>(alive));
            case ZONE -> crashes.killDaemons(targets.daemonsIn(victim.member.zone()));
            case PAUSE -> victim.pause((50 + simulation.random.nextInt(300)) * MILLI);
            case SLOW_MACHINE -> List.copyOf(simulation.nodes.values()).forEach(this::slowDown);
            case STARVED_MACHINE -> {
                // a spawner that is declared dead leaves daemons behind
                crashes.expectLateDetection(STARVED);
                long until = simulation.queue.now() + STARVED;
                simulation.nodes.values().stream()
                        .filter(worker -> worker.member.host().equals(victim.member.host()))
                        .forEach(worker -> starve(worker, until));
            }
            case FALSE_VERDICT -> declareDead(victim);
            case PARTITION -> cuts.partition(victim);
            case SPAWNER -> crashes.killSpawners(Set.of(targets.any(simulation.spawners())));
            case LEADER -> crashes.killSpawners(targets.leaders());
            case LEADER_PAUSE ->
                targets.leaders().forEach(leader -> leader.pause((100 + simulation.random.nextInt(300)) * MILLI));
            case ALL_SPAWNERS -> crashes.killSpawners(simulation.spawners());
            case SPAWNERS_IN_TURN -> {
                Set<SimulatedSpawner> others = new LinkedHashSet<>(simulation.spawners());
                others.removeAll(targets.leaders());
                crashes.killSpawners(others);
                simulation.queue.after(simulation.random.nextLong(IN_TURN), () -> inject(FaultKind.LEADER));
            }
            case SPAWNER_AND_SUCCESSOR -> crashes.killSpawners(targets.spawnerAndSuccessor());
            case SITE -> {
                SimulatedSpawner spawner = targets.any(simulation.spawners());
                crashes.powerOff(targets.daemonsIn(spawner.member.zone()), spawner);
            }
            case CUT_MACHINE ->
                cuts.cutOff(targets.any(simulation.spawners()).member.host(), NetworkCuts.CUT);
            case CUT_MACHINE_LONG ->
                cuts.cutOff(targets.any(simulation.spawners()).member.host(), NetworkCuts.LONG_CUT);
            case SPAWNER_AND_DAEMON -> {
                crashes.killSpawners(Set.of(targets.any(simulation.spawners())));
                simulation.queue.after(simulation.random.nextLong(MILLI), () -> crashes.killDaemons(Set.of(victim)));
            }
            case LEAVE -> victim.handle(new DaemonEvent.ShutdownRequested());
            case SCALE -> scaleUp();
            default -> throw new IllegalArgumentException(kind + " is no single event");
        }
    }

    /** The process runs for a short while only, between long ones in which others have the processors. */
    private void starve(SimulatedWorker worker, long until) {
        if (worker.lives() && simulation.queue.now() < until) {
            long late = simulation.random.nextLong(LONGEST_LATENESS);
            worker.pause(late);
            simulation.queue.after(late + simulation.random.nextLong(SLICE), () -> starve(worker, until));
        }
    }

    private void slowDown(SimulatedWorker worker) {
        if (simulation.random.nextBoolean()) {
            worker.pause(simulation.random.nextInt(300) * MILLI);
        }
        cuts.slowDownConnections(worker);
    }

    /** All workers receive a wrong verdict on a daemon that lives. */
    private void declareDead(SimulatedDaemon daemon) {
        FailureVerdict.Cause cause =
                simulation.random.nextBoolean() ? FailureVerdict.Cause.DEAD : FailureVerdict.Cause.STUCK;
        // This number has no use. Without it the later ones would change, and with them the digests of the scenarios.
        simulation.random.nextBoolean();
        long delay = DETECTION + simulation.random.nextLong(DETECTION_SPREAD);
        WorkerId id = daemon.member.id();
        simulation.queue.after(delay, () -> {
            WorkerEvent verdicts = new WorkerEvent.Verdicts(List.of(new FailureVerdict(id, cause, delay)));
            for (SimulatedWorker worker : List.copyOf(simulation.nodes.values())) {
                worker.run(() -> worker.handle(verdicts));
            }
        });
    }

    /** All spawners learn, one after the other, that the user wants the standbys to compute as well. */
    private void scaleUp() {
        SpawnerEvent wanted = new SpawnerEvent.ScaleRequested(simulation.scenario.daemons() + faultPlan.standbys());
        for (SimulatedSpawner spawner : simulation.spawners()) {
            spawner.later(simulation.random.nextLong(LATE_POLL), () -> spawner.handle(wanted));
        }
    }
}
