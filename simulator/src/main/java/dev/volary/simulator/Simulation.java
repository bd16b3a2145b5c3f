// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.job.FaultInjector;
import dev.volary.simulator.job.SimulatedDaemon;
import dev.volary.simulator.job.SimulatedSpawner;
import dev.volary.simulator.job.SimulationState;
import dev.volary.simulator.job.WorkerLauncher;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulationConfig;
import dev.volary.simulator.scenario.TestHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One job in one world, from start to end, in virtual time. The same scenario and seed give the same run. */
public final class Simulation {
    /** No short job may take longer than this. */
    private static final long LIMIT_NANOS = 60_000_000_000L;
    /** After the outcome, daemons must stop within this time. */
    private static final long STOP_NANOS = 10_000_000_000L;

    private static final long MOST_EVENTS = 3_000_000;
    private static final long START_NANOS = 20_000_000;
    /** Whether to go on is asked after so many events. */
    private static final long ASK_EVERY = 1 << 10;

    private final SimulationConfig setup;
    private final long seed;
    private final TestHooks wiring;

    Simulation(SimulationConfig setup, long seed, TestHooks wiring) {
        this.setup = setup;
        this.seed = seed;
        this.wiring = wiring;
    }

    /** A run of a scenario. */
    public static Simulation of(Scenario scenario, long seed) {
        return of(scenario, seed, new TestHooks());
    }

    static Simulation of(Scenario scenario, long seed, TestHooks wiring) {
        return new Simulation(SimulationConfig.of(scenario, wiring), seed, wiring);
    }

    /** Runs to the end, or to the first violation, and judges. */
    public SimulationReport run() {
        SimulationState world = build();
        long endedAt = play(world, LIMIT_NANOS, () -> world.agenda.done() <= MOST_EVENTS);
        if (!world.judge.ended()) {
            world.judge.didNotEnd();
        }
        return world.judge.report(seed, endedAt, world.agenda.done());
    }

    /**
     * Runs to the end, to the first violation, or until it may not go on, and counts what it took.
     *
     * @param goesOn asked now and then
     */
    SimulatedJobReport runJob(BooleanSupplier goesOn) {
        SimulationState world = build();
        long endedAt = play(world, Long.MAX_VALUE - STOP_NANOS, goesOn);
        long now = world.agenda.now();
        world.daemons().forEach(daemon -> world.ledger.lived(daemon, now));
        return new SimulatedJobReport(
                world.judge.report(seed, endedAt == 0 ? now : endedAt, world.agenda.done()),
                world.ledger.toll(),
                world.ledger.messagesPerSecond(),
                world.ledger.halosPerSecond());
    }

    /** Returns the time of the outcome; 0 if there is none. */
    private long play(SimulationState world, long limit, BooleanSupplier goesOn) {
        if (setup.scenario().stale()) {
            world.haunt();
        }
        long endedAt = 0;
        boolean rest = false;
        while (!rest && world.agenda.step()) {
            if (world.judge.ended() && endedAt == 0) {
                endedAt = world.agenda.now();
            }
            rest = (endedAt > 0 && allStopped(world))
                    || world.judge.foundAnything()
                    || world.agenda.now() > (endedAt > 0 ? world.judge.calmAfter(endedAt) + STOP_NANOS : limit)
                    || (world.agenda.done() % ASK_EVERY == 0 && !goesOn.getAsBoolean());
        }
        if (!world.judge.foundAnything() && world.judge.ended() && !allStopped(world)) {
            world.judge.violated(computing(world) + " daemons did not stop");
        }
        return endedAt;
    }

    private boolean allStopped(SimulationState world) {
        int unreachable =
                switch (setup.scenario().defect()) {
                    case LINK_STUCK_FOREVER, DAEMON_MISSING -> 1;
                    default -> 0;
                };
        return computing(world) <= unreachable;
    }

    private static long computing(SimulationState world) {
        return world.daemons().stream().filter(daemon -> !daemon.stopped()).count();
    }

    private SimulationState build() {
        Scenario scenario = setup.scenario();
        SimulationState world = new SimulationState(scenario, seed, setup.subject(), setup.tempo(), wiring);
        WorkerLauncher workers =
                new WorkerLauncher(world, setup.subject().shape(), setup.job(), setup.daemon(), setup.zones());
        List<SimulatedSpawner> spawners = new ArrayList<>();
        for (int i = 0; i < scenario.spawners(); i++) {
            spawners.add(workers.spawner());
        }
        List<SimulatedDaemon> daemons = new ArrayList<>();
        for (int i = 0; i < scenario.daemons() + scenario.chaos().standbys(); i++) {
            daemons.add(workers.daemon());
        }
        spawners.forEach(spawner -> workers.start(spawner, START_NANOS));
        boolean missing = scenario.defect() == Scenario.InjectedFault.DAEMON_MISSING;
        daemons.subList(missing ? 1 : 0, daemons.size()).forEach(daemon -> workers.start(daemon, START_NANOS));
        FaultInjector perturbator = new FaultInjector(world, workers, setup.fate(), setup.standbys());
        world.perturbedBy(perturbator);
        perturbator.plan();
        return world;
    }
}
