// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.job.FaultInjector;
import dev.volary.simulator.job.SimulatedDaemon;
import dev.volary.simulator.job.SimulatedSpawner;
import dev.volary.simulator.job.SimulationState;
import dev.volary.simulator.job.WorkerLauncher;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulationConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One simulated job, from start to end, in virtual time. The same scenario and seed give the same run. */
public final class Simulation {
    /** No short job may take longer than this. */
    private static final long LIMIT_NANOS = 60_000_000_000L;
    /** After the outcome, daemons must stop within this time. */
    private static final long STOP_NANOS = 10_000_000_000L;

    private static final long MOST_EVENTS = 3_000_000;
    private static final long START_NANOS = 20_000_000;
    /** Events between two checks whether to go on. */
    private static final long ASK_EVERY = 1 << 10;

    private final SimulationConfig setup;
    private final long seed;

    Simulation(SimulationConfig setup, long seed) {
        this.setup = setup;
        this.seed = seed;
    }

    /** A run of a scenario. */
    public static Simulation of(Scenario scenario, long seed) {
        return new Simulation(SimulationConfig.of(scenario), seed);
    }

    /** Runs to the end, or to the first violation, and reports. */
    public SimulationReport run() {
        return measure().report();
    }

    /** As {@link #run}, and counts what it took. */
    SimulatedJobReport measure() {
        SimulationState simulation = build();
        long endedAt = play(simulation, LIMIT_NANOS, () -> simulation.queue.done() <= MOST_EVENTS);
        if (!simulation.checker.hasEnded()) {
            simulation.checker.jobGivenUp();
        }
        return report(simulation, endedAt);
    }

    /**
     * Runs to the end, to the first violation, or until it may not go on, and counts what it took.
     *
     * @param goesOn asked now and then
     */
    SimulatedJobReport runJob(BooleanSupplier goesOn) {
        SimulationState simulation = build();
        long endedAt = play(simulation, Long.MAX_VALUE - STOP_NANOS, goesOn);
        return report(simulation, endedAt == 0 ? simulation.queue.now() : endedAt);
    }

    private SimulatedJobReport report(SimulationState simulation, long endedAt) {
        long now = simulation.queue.now();
        simulation.daemons().forEach(daemon -> simulation.statistics.lived(daemon, now));
        return new SimulatedJobReport(
                simulation.checker.report(seed, endedAt, simulation.queue.done()),
                simulation.statistics.totals(),
                simulation.statistics.messagesPerSecond(),
                simulation.statistics.halosPerSecond(),
                Duration.ofNanos(simulation.statistics.allIterating().orElse(now)));
    }

    /** Returns the time of the outcome; 0 if there is none. */
    private long play(SimulationState simulation, long limit, BooleanSupplier goesOn) {
        if (setup.scenario().stale()) {
            simulation.sendStaleData();
        }
        long endedAt = 0;
        boolean rest = false;
        while (!rest && simulation.queue.step()) {
            if (simulation.checker.hasEnded() && endedAt == 0) {
                endedAt = simulation.queue.now();
            }
            rest = (endedAt > 0 && allStopped(simulation))
                    || simulation.checker.foundAnything()
                    || simulation.queue.now()
                            > (endedAt > 0 ? simulation.checker.calmAfter(endedAt) + STOP_NANOS : limit)
                    || (simulation.queue.done() % ASK_EVERY == 0 && !goesOn.getAsBoolean());
        }
        if (!simulation.checker.foundAnything() && simulation.checker.hasEnded() && !allStopped(simulation)) {
            simulation.checker.violated(computing(simulation) + " daemons did not stop");
        }
        return endedAt;
    }

    private boolean allStopped(SimulationState simulation) {
        int unreachable =
                switch (setup.scenario().defect()) {
                    case LINK_STUCK_FOREVER, DAEMON_MISSING -> 1;
                    default -> 0;
                };
        return computing(simulation) <= unreachable;
    }

    private static long computing(SimulationState simulation) {
        return simulation.daemons().stream().filter(daemon -> !daemon.stopped()).count();
    }

    private SimulationState build() {
        Scenario scenario = setup.scenario();
        SimulationState simulation = new SimulationState(scenario, seed, setup.problem(), setup.timing());
        WorkerLauncher workers =
                new WorkerLauncher(simulation, setup.problem().shape(), setup.job(), setup.daemon(), setup.zones());
        List<SimulatedSpawner> spawners = new ArrayList<>();
        for (int i = 0; i < scenario.spawners(); i++) {
            spawners.add(workers.spawner());
        }
        List<SimulatedDaemon> daemons = new ArrayList<>();
        for (int i = 0; i < scenario.daemons() + scenario.faultPlan().standbys(); i++) {
            daemons.add(workers.daemon());
        }
        spawners.forEach(spawner -> workers.start(spawner, START_NANOS));
        boolean missing = scenario.defect() == InjectedFault.DAEMON_MISSING;
        daemons.subList(missing ? 1 : 0, daemons.size()).forEach(daemon -> workers.start(daemon, START_NANOS));
        FaultInjector faultInjector = new FaultInjector(simulation, workers, setup.failureModel(), setup.standbys());
        simulation.setFaultInjector(faultInjector);
        faultInjector.plan();
        return simulation;
    }
}
