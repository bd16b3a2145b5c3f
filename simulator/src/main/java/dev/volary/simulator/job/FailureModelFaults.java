// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.simulator.scenario.FailureModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Injects the faults of a failure model: it asks the model at regular intervals which failures are due. */
final class FailureModelFaults {
    private static final long INTERVAL = 10_000_000;

    private final SimulationState simulation;
    private final FailureModel failureModel;
    private final WorkerCrashes crashes;

    FailureModelFaults(SimulationState simulation, FailureModel failureModel, WorkerCrashes crashes) {
        this.simulation = simulation;
        this.failureModel = failureModel;
        this.crashes = crashes;
    }

    /** Injects the failures that are due from now on, until the job has ended. */
    void start() {
        if (!failureModel.equals(FailureModel.NONE)) {
            injectDue();
        }
    }

    private void injectDue() {
        if (simulation.checker.hasEnded()) {
            return;
        }
        Map<String, SimulatedWorker> byName = new HashMap<>();
        List<FailureModel.Candidate> alive = new ArrayList<>();
        for (SimulatedWorker worker : simulation.nodes.values()) {
            byName.put(worker.member.name(), worker);
            alive.add(new FailureModel.Candidate(
                    worker.member.name(), worker instanceof SimulatedSpawner, worker.member.zone()));
        }
        for (FailureModel.Failure failure : failureModel.due(simulation.queue.now(), alive)) {
            SimulatedWorker victim = byName.get(failure.worker());
            if (victim == null || !victim.lives()) {
                throw new IllegalArgumentException("no worker " + failure.worker() + " lives");
            }
            simulation.statistics.injected(victim, failure);
            inject(failure, victim);
        }
        simulation.queue.after(INTERVAL, this::injectDue);
    }

    private void inject(FailureModel.Failure failure, SimulatedWorker victim) {
        switch (failure) {
            case FailureModel.Failure.Crash crash -> crashes.kill(victim, crash.withHost());
            case FailureModel.Failure.Pause pause -> victim.pause(pause.time().toNanos());
            case FailureModel.Failure.Leave leave -> {
                if (victim instanceof SimulatedDaemon daemon) {
                    daemon.run(() -> daemon.handle(new DaemonEvent.ShutdownRequested()));
                } else {
                    crashes.kill(victim, false);
                }
            }
        }
    }
}
