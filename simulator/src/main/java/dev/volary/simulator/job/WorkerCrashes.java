// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ends worker processes, alone or with their hosts, and starts those that replace them. */
final class WorkerCrashes {
    private static final long START = 1_000_000;

    /** Until a new spawner has distributed a member list, its daemons detect failures late. */
    private static final long LATE_DETECTION = 1_000_000_000;

    private final SimulationState simulation;
    private final WorkerLauncher workers;
    private final boolean restarts;
    private final boolean sameZone;

    /**
     * @param sameZone a daemon that was evicted or left is replaced in its zone; otherwise zones are assigned in turn
     */
    WorkerCrashes(SimulationState simulation, WorkerLauncher workers, boolean sameZone) {
        this.simulation = simulation;
        this.workers = workers;
        this.restarts = simulation.scenario.faultPlan().restarts();
        this.sameZone = sameZone;
    }

    // ---- faults ----------------------------------------------------------------------------------------------------

    /** Ends daemons, each alone or with its host; each is replaced if the scenario restarts workers. */
    void killDaemons(Set<SimulatedDaemon> victims) {
        for (SimulatedDaemon victim : victims) {
            end(victim);
            if (restarts) {
                startDaemonLater(Optional.empty());
            }
        }
    }

    /** Ends spawners, each alone or with its host, unless the job has ended. */
    void killSpawners(Collection<? extends SimulatedWorker> victims) {
        if (simulation.checker.hasEnded()) {
            return;
        }
        for (SimulatedWorker victim : List.copyOf(victims)) {
            end(victim);
            startSpawnerLater();
        }
        expectLateDetection(0);
    }

    /** Ends a worker as the failure model says; a daemon is replaced in any case. */
    void kill(SimulatedWorker victim, boolean withHost) {
        end(victim, !withHost);
        if (victim instanceof SimulatedDaemon daemon) {
            replace(daemon);
        } else {
            expectLateDetection(0);
            startSpawnerLater();
        }
    }

    /** Ends a spawner and daemons with their hosts. */
    void powerOff(Collection<SimulatedDaemon> daemons, SimulatedSpawner spawner) {
        daemons.forEach(daemon -> end(daemon, false));
        end(spawner, false);
        if (restarts) {
            daemons.forEach(daemon -> startDaemonLater(Optional.empty()));
            startSpawnerLater();
        }
        expectLateDetection(0);
    }

    /** Failures are detected late for a while, which begins after this delay. */
    void expectLateDetection(long delay) {
        simulation.checker.disturbed(simulation.queue.now() + delay + LATE_DETECTION);
    }

    // ---- ends that the protocol decides ----------------------------------------------------------------------------

    /** A daemon was evicted: its process ends, and another one starts with a new identity. */
    void evicted(SimulatedDaemon daemon) {
        end(daemon);
        simulation.statistics.evicted();
        replace(daemon);
    }

    /** A spawner was declared dead: its process ends. */
    void evicted(SimulatedSpawner spawner) {
        end(spawner);
        simulation.statistics.evicted();
        startSpawnerLater();
    }

    /** A daemon has left in order. */
    void left(SimulatedDaemon daemon) {
        end(daemon);
        if (restarts) {
            replace(daemon);
        }
    }

    // ---- processes -------------------------------------------------------------------------------------------------

    /** Ends a process. Its host refuses connections from now on, or fails too. */
    void end(SimulatedWorker worker) {
        end(worker, simulation.random.nextBoolean());
    }

    private void end(SimulatedWorker worker, boolean refuses) {
        WorkerId id = worker.member.id();
        simulation.statistics.ended(worker, simulation.queue.now());
        simulation.checker.workerDied(id);
        worker.die();
        simulation.remove(worker);
        simulation.holders.lost(id);
        simulation.sink.lost(id);
        if (simulation.arbiter.logMembers().stream().noneMatch(simulation.nodes::containsKey)) {
            simulation.checker.logLost();
        }
        if (refuses) {
            simulation.refuseConnections(id);
        }
        if (refuses && simulation.timing.resets()) {
            resetConnections(id);
        }
    }

    private void resetConnections(WorkerId ended) {
        simulation.nodes.values().stream()
                .filter(other -> other.isConnectedTo(ended))
                .forEach(other -> other.later(
                        simulation.scenario.control().delay().toNanos(),
                        () -> other.handle(new WorkerEvent.ConnectionReset(ended))));
    }

    private void replace(SimulatedDaemon daemon) {
        startDaemonLater(sameZone ? Optional.of(daemon.member.zone()) : Optional.empty());
    }

    private void startDaemonLater(Optional<String> zone) {
        simulation.queue.after(restartDelay(), () -> startDaemon(zone));
    }

    private void startSpawnerLater() {
        if (restarts) {
            simulation.queue.after(restartDelay(), () -> {
                if (!simulation.checker.hasEnded()) {
                    startSpawner();
                }
            });
        }
    }

    private long restartDelay() {
        return simulation.timing.restart() + simulation.random.nextLong(2 * simulation.timing.restart());
    }

    /** Starts a daemon in the zone whose turn it is, unless the job has ended. */
    void startDaemon() {
        startDaemon(Optional.empty());
    }

    private void startDaemon(Optional<String> zone) {
        if (!simulation.checker.hasEnded()) {
            workers.start(zone.map(workers::daemon).orElseGet(workers::daemon), START);
        }
    }

    /** Starts a spawner. */
    void startSpawner() {
        workers.startSpawner(START);
    }
}
