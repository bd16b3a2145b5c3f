// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.simulator.scenario.FaultPlan.FaultKind;
import java.util.Set;

/** Ends the new owner of a block that has just moved, and all holders of the block's backups but its former owner. */
final class MovedBlockFault {
    /** The new owner has not backed the block up yet. */
    private static final long AT_MOST_LATER = 5_000_000;

    private final SimulationState simulation;
    private final FaultTargets targets;
    private final WorkerCrashes crashes;
    private boolean injected;

    MovedBlockFault(SimulationState simulation, FaultTargets targets, WorkerCrashes crashes) {
        this.simulation = simulation;
        this.targets = targets;
        this.crashes = crashes;
    }

    /** A daemon drops a block that it served, because another one serves it now. */
    void drops(SimulatedDaemon former, int block) {
        boolean isDue = simulation.scenario.faultPlan().kind() == FaultKind.NEW_OWNER_AND_HOLDERS && !injected;
        if (!isDue || simulation.checker.hasEnded()) {
            return;
        }
        injected = true;
        simulation.queue.after(simulation.random.nextLong(AT_MOST_LATER), () -> {
            Set<SimulatedDaemon> victims = targets.ownerAndHolders(block);
            victims.remove(former);
            simulation.checker.movedBlockLost(block);
            crashes.killDaemons(victims);
        });
    }
}
