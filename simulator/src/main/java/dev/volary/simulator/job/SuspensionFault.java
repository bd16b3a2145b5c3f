// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.simulator.scenario.FaultPlan;
import java.util.List;
import java.util.Optional;

/** Suspends the job once a checkpoint is on the volume, and checks that it continues from there. */
final class SuspensionFault {
    private static final long MILLI = 1_000_000;

    /** How long a suspended job has no process. */
    private static final long SUSPENDED = 50 * MILLI;

    private final SimulationState simulation;
    private final WorkerCrashes crashes;
    private int checkpoints;
    private boolean suspended;

    SuspensionFault(SimulationState simulation, WorkerCrashes crashes) {
        this.simulation = simulation;
        this.crashes = crashes;
    }

    /** A checkpoint is on the volume: the job may be suspended, and go on later under a newer term. */
    void checkpointSaved() {
        if (simulation.scenario.faultPlan().kind() == FaultPlan.FaultKind.SUSPEND
                && ++checkpoints == 1 + simulation.seed % 2
                && !simulation.checker.hasEnded()) {
            crashes.expectLateDetection(SUSPENDED);
            int daemons = simulation.daemons().size();
            int spawners = simulation.spawners().size();
            simulation.queue.after(simulation.random.nextLong(4 * MILLI), () -> suspend(spawners, daemons));
        }
    }

    private void suspend(int spawners, int daemons) {
        if (simulation.checker.hasEnded()) {
            return;
        }
        suspended = true;
        List.copyOf(simulation.nodes.values()).forEach(crashes::end);
        simulation.arbiter = new LeaderElectionRecord(Optional.empty(), simulation.arbiter.term(), List.of());
        simulation.queue.after(SUSPENDED, () -> resume(spawners, daemons));
    }

    private void resume(int spawners, int daemons) {
        for (int i = 0; i < spawners; i++) {
            crashes.startSpawner();
        }
        for (int i = 0; i < daemons; i++) {
            crashes.startDaemon();
        }
    }

    /** A block is opened again: after a suspension it must have a state to continue from. */
    void opens(int block, boolean hasState) {
        if (suspended && !hasState && !simulation.scenario.hasTimeSteps()) {
            simulation.checker.violated("block " + block + " begins from nothing though there is a checkpoint");
        }
    }
}
