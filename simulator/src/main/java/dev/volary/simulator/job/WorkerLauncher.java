// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.protocol.spawner.SpawnerMachine;
import java.util.List;
import java.util.Locale;

/** Starts worker processes, at first and in place of dead ones. */
public final class WorkerLauncher {
    private static final int PORTS = 60_000;
    private static final int MACHINES = 3;
    private static final long MEMORY = 1L << 30;

    private final SimulationState simulation;
    private final JobGraph graph;
    private final SpawnerConfig spawnerConfig;
    private final DaemonConfig daemonConfig;
    private final int zones;
    private int daemons;
    private int spawners;

    /**
     * @param zones that workers are spread over in turn; 0 if there are none
     */
    public WorkerLauncher(
            SimulationState simulation,
            JobGraph graph,
            SpawnerConfig spawnerConfig,
            DaemonConfig daemonConfig,
            int zones) {
        this.simulation = simulation;
        this.graph = graph;
        this.spawnerConfig = spawnerConfig;
        this.daemonConfig = daemonConfig;
        this.zones = zones;
    }

    /** A daemon that has not started yet, in the zone whose turn it is. */
    public SimulatedDaemon daemon() {
        return daemon(zone(daemons));
    }

    /** A daemon that has not started yet. */
    SimulatedDaemon daemon(String zone) {
        Member member = member(WorkerRole.DAEMON, daemons, zone);
        DaemonMachine machine = new DaemonMachine(member, graph, daemonConfig, simulation.random.nextLong());
        double slowness = daemons == 0 ? simulation.scenario.slow() : 1;
        daemons++;
        SimulatedDaemon daemon = new SimulatedDaemon(member, simulation, machine, slowness);
        simulation.add(daemon);
        return daemon;
    }

    /** A spawner that has not started yet. */
    public SimulatedSpawner spawner() {
        Member member = member(WorkerRole.SPAWNER, spawners, zone(spawners));
        spawners++;
        SimulatedSpawner spawner = new SimulatedSpawner(
                member, simulation, new SpawnerMachine(member, graph, spawnerConfig, simulation.random.nextLong()));
        simulation.add(spawner);
        return spawner;
    }

    /** The process is up and finds the spawners after a while. */
    public void start(SimulatedWorker node, long within) {
        node.later(simulation.random.nextLong(within), () -> {
            node.handle(new WorkerEvent.SpawnersFound(spawnersNow()));
            if (node instanceof SimulatedDaemon daemon) {
                daemon.start();
            }
        });
    }

    /** Starts a spawner that replaces a dead one: discovery announces it to all workers once it is up. */
    void startSpawner(long within) {
        SimulatedSpawner spawner = spawner();
        spawner.later(simulation.random.nextLong(within), () -> {
            simulation
                    .volume
                    .newest()
                    .filter(record -> record.step() > 0)
                    .ifPresent(record -> spawner.handle(new SpawnerEvent.CheckpointFound(record)));
            WorkerEvent found = new WorkerEvent.SpawnersFound(spawnersNow());
            for (SimulatedWorker node : List.copyOf(simulation.nodes.values())) {
                node.later(simulation.random.nextLong(within), () -> node.handle(found));
            }
        });
    }

    private List<Member> spawnersNow() {
        return simulation.nodes.values().stream()
                .filter(SimulatedSpawner.class::isInstance)
                .map(node -> node.member)
                .toList();
    }

    /** Ids of daemons are below those of spawners, so that {@link SimulationState#isCutOff} names a daemon. */
    private Member member(WorkerRole role, int number, String zone) {
        long base = role == WorkerRole.DAEMON ? 1L << 20 : 1L << 40;
        WorkerId id = new WorkerId(base + ((long) number << 10) + simulation.random.nextInt(1000));
        String name = role.name().toLowerCase(Locale.ROOT) + "-" + number;
        Address address = new Address("virtual", 1 + number % PORTS);
        return new Member(id, role, name, address, "machine-" + number % MACHINES, zone, 1, MEMORY);
    }

    private String zone(int number) {
        return zones == 0 ? "" : "zone-" + number % zones;
    }
}
