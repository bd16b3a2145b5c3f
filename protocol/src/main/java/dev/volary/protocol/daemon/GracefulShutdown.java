// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Hands this daemon's blocks over when its process is asked to end. Each block is backed up at its next iteration boundary
 * and rests there, so that the next daemon loses no iteration. The owner gets a report of the blocks that are not saved yet,
 * and another at once after each backup: it reassigns saved blocks, and evicts the daemon when none is left.
 *
 * <p>Where all blocks roll back together, a backup of one is worth nothing, and the daemon leaves without.
 */
final class GracefulShutdown {
    private final WorkerId self;
    private final BlockLifecycle blocks;
    private final boolean savesBlocks;
    private final long retry;
    private boolean requested;
    private long reportAt = Long.MAX_VALUE;

    /** @param savesBlocks whether a block is restored from its own newest backup */
    GracefulShutdown(WorkerId self, BlockLifecycle blocks, boolean savesBlocks, Duration retry) {
        this.self = self;
        this.blocks = blocks;
        this.savesBlocks = savesBlocks;
        this.retry = retry.toNanos();
    }

    /** Whether the process was asked to end: the daemon takes no more blocks. */
    boolean isRequested() {
        return requested;
    }

    /** The process is asked to end. */
    void request(DaemonTurn turn) {
        requested = true;
        reportAt = turn.now();
        if (savesBlocks) {
            blocks.leave(turn);
        }
    }

    /** A backup is durable, or could not be stored. */
    void backupEnded(long now) {
        reportAt = requested ? now : reportAt;
    }

    /** Repeats the report until the owner evicts this daemon. Without an owner no blocks can be handed over, and the daemon exits. */
    void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        if (requested && turn.now() >= reportAt) {
            reportAt = turn.now() + retry;
            if (owner.isPresent()) {
                List<Integer> busy = savesBlocks ? blocks.busy() : List.of();
                turn.send(owner.get(), new RegistrationMessage.Leaving(self, busy));
            } else {
                turn.add(new DaemonAction.Exit());
            }
        }
        turn.wakeAt(reportAt);
    }
}
