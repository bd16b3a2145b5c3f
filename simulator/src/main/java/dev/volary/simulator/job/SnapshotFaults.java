// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.simulator.scenario.FaultPlan.FaultKind;
import java.util.Set;

/** Injects faults into workers while daemons take part in snapshots, commits, checkpoints and backups. */
final class SnapshotFaults {
    private static final long MILLI = 1_000_000;
    private static final int MOST_DEATHS = 4;
    /** Probability of a death at each step of a snapshot that a daemon takes. */
    private static final double IN_SNAPSHOT = 0.08;
    /** Probability of a death at each step of a commit. */
    private static final double IN_COMMIT = 0.06;
    /** Probability of a death at each block's part of a checkpoint. */
    private static final double IN_CHECKPOINT = 0.1;
    /** Probability of a pause at each backup. */
    private static final double IN_BACKUP = 0.1;
    /** Between the deaths of two spawners: the first one is replaced, and the new one may copy what it needs. */
    private static final long IN_TURN = 350 * MILLI;

    private static final long IN_TURN_SPREAD = 200 * MILLI;

    private final SimulationState simulation;
    private final FaultKind kind;
    private final FaultTargets targets;
    private final WorkerCrashes crashes;
    private int deaths;
    private boolean paused;

    SnapshotFaults(SimulationState simulation, FaultTargets targets, WorkerCrashes crashes) {
        this.simulation = simulation;
        this.kind = simulation.scenario.faultPlan().kind();
        this.targets = targets;
        this.crashes = crashes;
    }

    /** A daemon takes a step of a snapshot: it, another daemon or the leader may die soon. */
    void inSnapshot(SimulatedDaemon daemon) {
        switch (kind) {
            case IN_SNAPSHOT -> {
                if (isDrawn(IN_SNAPSHOT) && deaths < MOST_DEATHS) {
                    deaths++;
                    killSoon(simulation.random.nextBoolean() ? daemon : targets.any(simulation.daemons()));
                }
            }
            case LEADER_IN_SNAPSHOT -> {
                if (isDrawn(IN_SNAPSHOT) && deaths < MOST_DEATHS && !simulation.checker.hasEnded()) {
                    deaths++;
                    simulation.queue.after(
                            simulation.random.nextLong(4 * MILLI), () -> crashes.killSpawners(targets.leaders()));
                }
            }
            default -> inCommit(daemon);
        }
    }

    private void killSoon(SimulatedDaemon victim) {
        simulation.queue.after(simulation.random.nextLong(2 * MILLI), () -> {
            if (victim.lives() && !simulation.checker.hasEnded()) {
                crashes.killDaemons(Set.of(victim));
            }
        });
    }

    /**
     * A daemon takes a step of a commit: it, alone or with the holder of its newest backup, may die at once. Or the second spawner that
     * holds the step dies, and later the first one with a daemon.
     */
    void inCommit(SimulatedDaemon daemon) {
        if (kind == FaultKind.HOLDERS_IN_TURN && deaths == 0 && hasCommitted(daemon)) {
            deaths++;
            simulation.partHolders().stream().skip(1).forEach(holder -> crashes.killSpawners(Set.of(holder)));
            simulation.queue.after(IN_TURN + simulation.random.nextLong(IN_TURN_SPREAD), () -> {
                if (!simulation.checker.hasEnded()) {
                    crashes.killSpawners(targets.leaders());
                    crashes.killDaemons(Set.of(targets.any(simulation.daemons())));
                }
            });
        }
        boolean withHolder = kind == FaultKind.HOLDER_IN_COMMIT;
        if ((withHolder || kind == FaultKind.IN_COMMIT) && deaths < MOST_DEATHS && isDrawn(IN_COMMIT)) {
            deaths++;
            long soon = simulation.random.nextBoolean() ? 0 : simulation.random.nextLong(2 * MILLI);
            simulation.queue.after(soon, () -> {
                if (daemon.lives() && !simulation.checker.hasEnded()) {
                    crashes.killDaemons(withHolder ? targets.withHolder(daemon) : Set.of(daemon));
                }
            });
        }
    }

    /** A daemon takes its part of a checkpoint: it may die before that is durable. */
    void inCheckpoint(SimulatedDaemon daemon) {
        if (kind == FaultKind.IN_CHECKPOINT && deaths < MOST_DEATHS && isDrawn(IN_CHECKPOINT)) {
            deaths++;
            simulation.queue.after(simulation.random.nextLong(4 * MILLI), () -> {
                if (daemon.lives() && !simulation.checker.hasEnded()) {
                    crashes.killDaemons(Set.of(daemon));
                }
            });
        }
    }

    /** A daemon's backup is on its way: it may pause until another daemon has backed the block up, or die once it is stored. */
    void inBackup(SimulatedDaemon daemon) {
        if (kind == FaultKind.AFTER_COMMIT && hasCommitted(daemon) && deaths < MOST_DEATHS && isDrawn(IN_BACKUP)) {
            deaths++;
            killSoon(daemon);
        }
        if (kind == FaultKind.PAUSE_IN_BACKUP && !paused && isDrawn(IN_BACKUP)) {
            paused = true;
            daemon.pause((150 + simulation.random.nextInt(200)) * MILLI);
        }
    }

    private static boolean hasCommitted(SimulatedDaemon daemon) {
        return daemon.blocks.values().stream().anyMatch(block -> block.step() > 1);
    }

    private boolean isDrawn(double probability) {
        return simulation.random.nextDouble() < probability;
    }
}
