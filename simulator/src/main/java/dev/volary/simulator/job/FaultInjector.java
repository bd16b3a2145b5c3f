// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.message.Message;
import dev.volary.simulator.scenario.FailureModel;
import java.util.Set;

/**
 * Injects the faults of the scenario into workers. Workers report to it what they are about to do; it passes each report to the
 * family of faults that may happen then. The protocol machines must detect the faults themselves.
 */
public final class FaultInjector {
    private static final long BETWEEN_STANDBYS = 100_000_000;

    private final SimulationState simulation;
    private final int standbys;
    private boolean iterating;

    private final WorkerCrashes crashes;
    private final NetworkCuts cuts;
    private final TimedFaults timed;
    private final SnapshotFaults atSnapshots;
    private final LeaderFaults atLeader;
    private final SuspensionFault suspension;
    private final MovedBlockFault ofMovedBlock;
    private final FailureModelFaults ofModel;

    /**
     * @param failureModel injects faults beside the scenario, once all blocks iterate
     * @param standbys daemons that start then
     */
    public FaultInjector(SimulationState simulation, WorkerLauncher workers, FailureModel failureModel, int standbys) {
        FaultTargets targets = new FaultTargets(simulation);
        this.simulation = simulation;
        this.standbys = standbys;
        this.crashes = new WorkerCrashes(simulation, workers, !failureModel.equals(FailureModel.NONE));
        this.cuts = new NetworkCuts(simulation, targets, crashes);
        this.timed = new TimedFaults(simulation, targets, crashes, cuts);
        this.atSnapshots = new SnapshotFaults(simulation, targets, crashes);
        this.atLeader = new LeaderFaults(simulation, crashes, cuts);
        this.suspension = new SuspensionFault(simulation, crashes);
        this.ofMovedBlock = new MovedBlockFault(simulation, targets, crashes);
        this.ofModel = new FailureModelFaults(simulation, failureModel, crashes);
    }

    /** Schedules the faults of the scenario that happen at a certain time. */
    public void plan() {
        timed.plan();
    }

    // ---- the job ---------------------------------------------------------------------------------------------------

    /** All blocks iterate: standbys start, one after the other, and the failure model becomes active. */
    void allIterate() {
        if (!iterating) {
            iterating = true;
            cuts.allIterate();
            for (int i = 0; i < standbys; i++) {
                simulation.queue.after(i * BETWEEN_STANDBYS, crashes::startDaemon);
            }
            ofModel.start();
        }
    }

    /** A checkpoint is on the volume. */
    void checkpointSaved() {
        suspension.checkpointSaved();
    }

    /** The leader has ended the job. */
    void jobEnded() {
        cuts.endCutOffWorkers();
    }

    // ---- steps of daemons ------------------------------------------------------------------------------------------

    /** A block is opened again, with a state to continue from if there is one. */
    void opens(int block, boolean hasState) {
        suspension.opens(block, hasState);
    }

    /** A daemon drops a block that it served. */
    void drops(SimulatedDaemon daemon, int block) {
        ofMovedBlock.drops(daemon, block);
    }

    /** A daemon takes a step of a snapshot. */
    void inSnapshot(SimulatedDaemon daemon) {
        atSnapshots.inSnapshot(daemon);
    }

    /** A daemon takes a step of a commit. */
    void inCommit(SimulatedDaemon daemon) {
        atSnapshots.inCommit(daemon);
    }

    /** A daemon takes its part of a checkpoint. */
    void inCheckpoint(SimulatedDaemon daemon) {
        atSnapshots.inCheckpoint(daemon);
    }

    /** A daemon's backup is on its way. */
    void inBackup(SimulatedDaemon daemon) {
        atSnapshots.inBackup(daemon);
    }

    // ---- steps of spawners and messages ----------------------------------------------------------------------------

    /** A worker is about to send a control message. */
    void sends(SimulatedWorker worker, Message message) {
        atLeader.sends(worker, message);
    }

    /** A worker has sent a control message, which is on its way. */
    void sent(SimulatedWorker worker, Message message) {
        atLeader.sent(worker, message);
    }

    /** A spawner stands for election. */
    void stands(SimulatedSpawner spawner) {
        atLeader.stands(spawner);
    }

    /** A spawner takes a step between the verdict and the end of the job. */
    void delivers(SimulatedSpawner spawner) {
        atLeader.delivers(spawner);
    }

    /** A spawner fetches a piece of a part. */
    void fetches(SimulatedSpawner spawner) {
        atLeader.fetches(spawner);
    }

    // ---- ends of processes -----------------------------------------------------------------------------------------

    /** A block kills the daemon that opens it. */
    void kill(SimulatedDaemon daemon) {
        crashes.killDaemons(Set.of(daemon));
    }

    /** A daemon was evicted: another one starts with a new identity. */
    void evicted(SimulatedDaemon daemon) {
        cuts.checkEviction(daemon);
        crashes.evicted(daemon);
    }

    /** A spawner was declared dead: another one starts with a new identity. */
    void evicted(SimulatedSpawner spawner) {
        cuts.checkEviction(spawner);
        crashes.evicted(spawner);
    }

    /** A daemon has left in order. */
    void left(SimulatedDaemon daemon) {
        crashes.left(daemon);
    }
}
