// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Edge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Chooses the workers that a fault hits together. All sets have an order of their own, since that of {@code Set.of} differs from
 * one JVM to the next.
 */
final class FaultTargets {
    private final SimulationState simulation;

    FaultTargets(SimulationState simulation) {
        this.simulation = simulation;
    }

    /** One of these workers. */
    <T> T any(List<T> of) {
        return of.get(simulation.random.nextInt(of.size()));
    }

    /** Some of these daemons. */
    Set<SimulatedDaemon> some(List<SimulatedDaemon> of, int number) {
        List<SimulatedDaemon> shuffled = new ArrayList<>(of);
        Collections.shuffle(shuffled, new Random(simulation.random.nextLong()));
        return new LinkedHashSet<>(shuffled.subList(0, number));
    }

    /** A daemon and another one that computes an adjacent block, if there is one. */
    Set<SimulatedDaemon> withNeighbor(SimulatedDaemon daemon) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(daemon));
        for (Edge edge : simulation.decomposition.edges()) {
            if (daemon.serves(edge.from())) {
                simulation.daemons().stream()
                        .filter(other -> both.size() < 2 && other.serves(edge.to()))
                        .forEach(both::add);
            }
        }
        return both;
    }

    /** A daemon and the holder of the newest backup of one of its blocks, if there is one. */
    Set<SimulatedDaemon> withHolder(SimulatedDaemon daemon) {
        Set<SimulatedDaemon> both = new LinkedHashSet<>(List.of(daemon));
        for (int block = 0; block < simulation.decomposition.blocks(); block++) {
            if (daemon.serves(block)) {
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

    /** The daemons that serve a block, or are about to, and those that hold backups of it. */
    Set<SimulatedDaemon> ownerAndHolders(int block) {
        Set<WorkerId> holders = simulation.holders.holders(block);
        Set<SimulatedDaemon> all = new LinkedHashSet<>(simulation.daemons());
        all.removeIf(daemon -> !daemon.serves(block)
                && !daemon.opener.opening().contains(block)
                && !holders.contains(daemon.member.id()));
        return all;
    }

    /** All live daemons of a zone. */
    Set<SimulatedDaemon> daemonsIn(String zone) {
        Set<SimulatedDaemon> daemons = new LinkedHashSet<>(simulation.daemons());
        daemons.removeIf(daemon -> !daemon.member.zone().equals(zone));
        return daemons;
    }

    /** Spawners that lead, as the arbiter says: one or none. */
    List<SimulatedSpawner> leaders() {
        return simulation.spawners().stream().filter(simulation::leads).toList();
    }

    /** A spawner, after the one that would take its group over. */
    Set<SimulatedSpawner> spawnerAndSuccessor() {
        List<SimulatedSpawner> ring = simulation.spawners();
        int first = simulation.random.nextInt(ring.size());
        return new LinkedHashSet<>(List.of(ring.get((first + 1) % ring.size()), ring.get(first)));
    }
}
