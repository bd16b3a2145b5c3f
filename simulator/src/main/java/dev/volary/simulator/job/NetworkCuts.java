// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Cuts connections for a while, and checks that workers on a machine that is cut off evict no others. */
final class NetworkCuts {
    private static final long MILLI = 1_000_000;

    /** Longer than a verdict takes. */
    static final long CUT = 400 * MILLI;

    /** Longer than a spawner waits when no other worker confirms its verdict. */
    static final long LONG_CUT = 900 * MILLI;

    /** The share of connections that take long each time. */
    private static final double SLOW_CONNECTIONS = 0.3;

    private final SimulationState simulation;
    private final FaultTargets targets;
    private final WorkerCrashes crashes;
    private boolean iterating;
    /** The machine that was cut off. */
    private Optional<String> cutOffHost = Optional.empty();

    private List<SimulatedWorker> onceCutOff = List.of();
    private long cutOffUntil;

    NetworkCuts(SimulationState simulation, FaultTargets targets, WorkerCrashes crashes) {
        this.simulation = simulation;
        this.targets = targets;
        this.crashes = crashes;
    }

    // ---- cuts of one worker ----------------------------------------------------------------------------------------

    /** Nothing gets from a worker to the others for a while. */
    void silence(WorkerId worker) {
        simulation.nodes.keySet().forEach(other -> simulation.cut(worker, other, cutEnd()));
    }

    /** Nothing gets from a worker to the others, or back, for a while. */
    void isolate(WorkerId worker) {
        simulation.nodes.keySet().forEach(other -> simulation.separate(worker, other, cutEnd()));
    }

    /** What a worker sends is held up until {@link #releaseHeldUp}. */
    void holdUp(WorkerId worker) {
        simulation.holdUp(worker);
        simulation.checker.disturbed(cutEnd());
    }

    /** What was held up arrives now. */
    void releaseHeldUp() {
        simulation.releaseHeldUp();
    }

    private long cutEnd() {
        return simulation.queue.now() + CUT;
    }

    /** Some messages of a daemon get lost in one direction only, for a while. */
    void partition(SimulatedDaemon victim) {
        long until = simulation.queue.now() + (50 + simulation.random.nextInt(300)) * MILLI;
        boolean outwards = simulation.random.nextBoolean();
        List<SimulatedDaemon> alive = simulation.daemons();
        Set<WorkerId> others = new LinkedHashSet<>();
        targets.some(alive, alive.size() / 2).forEach(daemon -> others.add(daemon.member.id()));
        if (simulation.random.nextBoolean()) {
            simulation.spawners().forEach(spawner -> others.add(spawner.member.id()));
        }
        WorkerId id = victim.member.id();
        others.forEach(other -> simulation.cut(outwards ? id : other, outwards ? other : id, until));
    }

    /** Some connections of a worker are interrupted for a while. */
    void slowDownConnections(SimulatedWorker worker) {
        for (SimulatedWorker other : simulation.nodes.values()) {
            if (simulation.random.nextDouble() < SLOW_CONNECTIONS) {
                long until = simulation.queue.now() + simulation.random.nextInt(150) * MILLI;
                simulation.separate(worker.member.id(), other.member.id(), until);
            }
        }
    }

    // ---- a machine that is cut off ---------------------------------------------------------------------------------

    /** All blocks iterate, so there are groups: from now on it is clear which side of a cut is the job. */
    void allIterate() {
        iterating = true;
    }

    /** Nothing gets from a machine to other machines and the arbiter, or back from the machines, for a while. */
    void cutOff(String host, long lasting) {
        cutOffHost = Optional.of(host).filter(where -> iterating);
        long until = simulation.queue.now() + lasting + simulation.random.nextLong(CUT / 4);
        List<SimulatedWorker> inside = new ArrayList<>(simulation.nodes.values());
        inside.removeIf(worker -> !worker.member.host().equals(host));
        onceCutOff = List.copyOf(inside);
        cutOffUntil = until;
        simulation.queue.after(until - simulation.queue.now(), this::endCutOffWorkers);
        for (SimulatedWorker worker : inside) {
            simulation.cut(worker.member.id(), SimulationState.ARBITER, until);
            for (SimulatedWorker other : simulation.nodes.values()) {
                if (!other.member.host().equals(host)) {
                    simulation.separate(worker.member.id(), other.member.id(), until);
                }
            }
        }
    }

    /** Once job and cut are over, the platform ends the processes that were cut off. */
    void endCutOffWorkers() {
        if (simulation.checker.hasEnded() && simulation.queue.now() >= cutOffUntil) {
            onceCutOff.stream()
                    .filter(worker -> simulation.nodes.containsKey(worker.member.id()))
                    .forEach(crashes::end);
        }
    }

    /** A worker was evicted, which only those that were not cut off may decide. */
    void checkEviction(SimulatedWorker worker) {
        if (cutOffHost.filter(host -> !worker.member.host().equals(host)).isPresent()) {
            simulation.checker.violated(worker.member.name() + " was declared dead by a machine that was cut off");
        }
    }
}
