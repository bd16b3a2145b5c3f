// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * Backs up the blocks of a simulated daemon: in the asynchronous scheme to one holder at a time, in the synchronous scheme to the
 * two holders of a checkpoint generation.
 */
final class SimulatedBackupWriter {
    /** The least time that a backup takes on its way; it takes less than twice as long. */
    static final long BACKUP_NANOS = 1_000_000;

    private static final int COPIES_OF_GENERATION = 2;

    private final SimulatedDaemon daemon;
    private final SimulationState simulation;

    SimulatedBackupWriter(SimulatedDaemon daemon) {
        this.daemon = daemon;
        this.simulation = daemon.simulation;
    }

    /** What this incarnation of a block has backed up. */
    Optional<ProgressMessage.Backup> newestOf(SimulatedBlock block) {
        return simulation
                .holders
                .newest(block.id)
                .filter(backup -> backup.key().incarnation().equals(block.incarnation))
                .map(backup -> new ProgressMessage.Backup(backup.key().iteration(), List.of(backup.holder())));
    }

    /** Whether this daemon can reach a holder. */
    boolean canReach(WorkerId holder) {
        return simulation.scenario.faultPlan().stores().isEmpty()
                || holder.equals(daemon.member.id())
                || daemon.store.reachable().contains(holder);
    }

    /** Backs up a block, at once or after the iteration it computes. */
    void backUp(DaemonAction.BackUp action) {
        SimulatedBlock block = daemon.served(action.block());
        block.backUp = Optional.of(action);
        if (!block.computing) {
            backUp(block, action);
        }
    }

    /** Backs up a block that does not compute. */
    void backUp(SimulatedBlock block, DaemonAction.BackUp action) {
        block.backUp = Optional.empty();
        if (action.last()) {
            block.iterating = false;
            simulation.checker.blockStopped(block.id, block.core());
        }
        if (daemon.opener.isSearched(block.id)) {
            daemon.soon(new DaemonEvent.BackupFailed(
                    block.id, block.incarnation, action.slot(), "its earlier backup is still searched for"));
            return;
        }
        List<WorkerId> others = holders();
        if (others.isEmpty()) {
            daemon.soon(new DaemonEvent.BackupFailed(
                    block.id, block.incarnation, action.slot(), "there is no other daemon"));
            return;
        }
        WorkerId holder = others.get(simulation.random.nextInt(others.size()));
        BlockVersion key = new BlockVersion(block.incarnation, block.step(), block.completed());
        SimulatedBackups.Backup backup = new SimulatedBackups.Backup(
                block.id, action.slot(), key, block.core(), block.newest.clone(), block.saved(), holder);
        block.lastBackup = Optional.of(backup);
        simulation.faultInjector().inBackup(daemon);
        daemon.later(BACKUP_NANOS + simulation.random.nextLong(BACKUP_NANOS), () -> {
            if (simulation.nodes.containsKey(holder) && simulation.holders.put(backup, simulation.checker)) {
                daemon.handle(new DaemonEvent.BackedUp(block.id, block.incarnation, action.slot(), key.iteration()));
            } else {
                daemon.handle(new DaemonEvent.BackupFailed(
                        block.id, block.incarnation, action.slot(), "its holder has ended"));
            }
        });
    }

    /** What was backed up last of a block that is served elsewhere now stays with this daemon. */
    void leave(SimulatedBlock block) {
        block.lastBackup.ifPresent(backup -> simulation.holders.leave(backup.heldBy(daemon.member.id())));
    }

    /** Takes the checkpoint of a block as soon as it has completed the iteration. */
    void checkpoint(DaemonAction.CheckpointBlock action) {
        SimulatedBlock block = daemon.served(action.block());
        block.checkpoint = Optional.of(action);
        if (!block.computing) {
            checkpoint(block);
        }
    }

    /** Takes the checkpoint that is wanted, if the block has just come to its iteration. */
    void checkpoint(SimulatedBlock block) {
        if (block.checkpoint.isEmpty()
                || block.iteration < block.checkpoint.get().iteration()) {
            return;
        }
        DaemonAction.CheckpointBlock wanted = block.checkpoint.get();
        block.checkpoint = Optional.empty();
        List<WorkerId> others = holders();
        if (block.iteration > wanted.iteration() || others.isEmpty()) {
            daemon.soon(new DaemonEvent.CheckpointTaken(block.id, block.incarnation, wanted.iteration(), false));
            return;
        }
        simulation.faultInjector().inCheckpoint(daemon);
        BlockVersion key = new BlockVersion(block.incarnation, 0, block.iteration);
        double[] core = block.core();
        double[][] halos = block.newest.clone();
        int first = simulation.random.nextInt(others.size());
        int copies = Math.min(COPIES_OF_GENERATION, others.size());
        for (int copy = 0; copy < copies; copy++) {
            WorkerId holder = others.get((first + copy) % others.size());
            boolean last = copy == copies - 1;
            SimulatedBackups.Backup backup =
                    new SimulatedBackups.Backup(block.id, wanted.slot(), key, core, halos, block.saved(), holder);
            // One after the other, so that only the last says that both are there.
            daemon.later((copy + 1) * (BACKUP_NANOS + simulation.random.nextLong(BACKUP_NANOS / 2)), () -> {
                boolean stored = simulation.nodes.containsKey(holder) && simulation.holders.putGeneration(backup);
                if (last) {
                    reportCheckpoint(block, key, stored);
                }
            });
        }
    }

    private void reportCheckpoint(SimulatedBlock block, BlockVersion key, boolean lastIsStored) {
        boolean bothAreStored = lastIsStored
                && simulation.holders.generations(block.id, this::canReach).stream()
                        .anyMatch(backup -> backup.key().equals(key));
        daemon.handle(new DaemonEvent.CheckpointTaken(block.id, block.incarnation, key.iteration(), bothAreStored));
    }

    /** Members that can hold backups for this daemon. */
    private List<WorkerId> holders() {
        return simulation.scenario.faultPlan().stores().isPresent()
                ? daemon.store.reachable()
                : simulation.others(daemon).stream()
                        .map(other -> other.member.id())
                        .toList();
    }
}
