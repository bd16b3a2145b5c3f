// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.Scenario;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Checks that backups are as new as they can be: no holder replaces one by an older one, no block is restored from less than was
 * known and left, and once there was time for backups, little is lost.
 */
final class BackupChecker {
    /** Blocks are backed up every 10 iterations, as samples say every 10 ms; one may be on its way. */
    private static final long MOST_ITERATIONS_LOST = 50;

    private final Scenario scenario;
    private final int blocks;
    private final Consumer<String> violated;
    private final Map<Integer, Long> reached = new HashMap<>();
    private final Map<Integer, double[]> lastValues = new HashMap<>();
    private OptionalInt leftWithFormerOwner = OptionalInt.empty();

    BackupChecker(Scenario scenario, int blocks, Consumer<String> violated) {
        this.scenario = scenario;
        this.blocks = blocks;
        this.violated = violated;
    }

    /** A block has completed this number of iterations, in all. */
    void blockIterated(int block, long completed) {
        reached.merge(block, completed, Math::max);
    }

    /** A block stops for good, because its daemon leaves. */
    void blockStopped(int block, double[] values) {
        lastValues.put(block, values);
    }

    /** A holder has taken a backup; {@code newestBefore} was the newest one of this block until then. */
    void backupTaken(int block, BlockVersion key, Optional<BlockVersion> newestBefore) {
        newestBefore
                .filter(known -> known.incarnation().compareTo(key.incarnation()) > 0)
                .ifPresent(known -> violated.accept("a backup of block " + block + " by " + key.incarnation()
                        + " was kept after one by " + known.incarnation()));
    }

    /**
     * A search for the newest backup of a block is over.
     *
     * @param left copies that there are now
     */
    void backupSearched(
            DaemonAction.RestoreBlock restore, Optional<BlockVersion> found, Collection<BlockVersion> left) {
        restore.known()
                .filter(known -> left.stream().anyMatch(known::isMetBy)
                        && found.filter(known::isMetBy).isEmpty())
                .ifPresent(known -> violated.accept("block " + known.block()
                        + " goes back behind a copy that was known and is left: to " + found + " instead of " + known));
    }

    /**
     * A block that started without its backup has not been offered it for a while.
     *
     * @param left copies that there are now
     */
    void backupMissed(DaemonAction.RestoreBlock restore, Collection<BlockVersion> left) {
        restore.known()
                .filter(known -> left.stream().anyMatch(known::isMetBy))
                .ifPresent(known -> violated.accept(
                        "block " + known.block() + " is not offered " + known + ", which was known and is left"));
    }

    /** A block has the values of a backup again. */
    void blockRestored(int block, Incarnation of, double[] values) {
        double[] last = lastValues.remove(block);
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.LEAVE && last != null && !Arrays.equals(last, values)) {
            violated.accept("block " + block + " lost iterations of " + of + " though its daemon left in order");
        }
    }

    /** A block is open again, from a backup of this iteration if there was one. */
    void blockReopened(int block, OptionalLong from) {
        long lost = reached.getOrDefault(block, 0L) - from.orElse(0);
        if (hadTimeForBackups() && !scenario.rollsBack() && lost > MOST_ITERATIONS_LOST) {
            violated.accept("block " + block + " goes on from iteration " + from + " and has lost " + lost
                    + ", though there was time for backups");
        }
        if (leftWithFormerOwner.equals(OptionalInt.of(block)) && lost > MOST_ITERATIONS_LOST) {
            violated.accept("block " + block + " goes on from iteration " + from + " and has lost " + lost
                    + ", though its former owner lives");
        }
    }

    /** A block's new owner dies, with all holders of its backups but the former owner. */
    void movedBlockLost(int block) {
        leftWithFormerOwner = OptionalInt.of(block);
    }

    /** All blocks roll back to a checkpoint generation, or to their start values if none is left. */
    void rolledBack(JobEvent.RolledBack event, SimulatedBackups backups) {
        if (event.iteration() == 0 && hadTimeForBackups() && backups.haveCheckpoint(blocks)) {
            violated.accept(
                    "in epoch " + event.epoch() + " all blocks begin again, though there are checkpoints of all");
        }
    }

    private boolean hadTimeForBackups() {
        return scenario.faultPlan().kind() == FaultPlan.FaultKind.LATE
                && scenario.defect() != InjectedFault.LATE_HOLDERS;
    }
}
