// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;

/**
 * Decides when a daemon without blocks warms up, so that it can take a lost block over without delay: once, when its group
 * monitors it, because the blocks of the group are assigned by then; and again in a group that it was transferred to, because
 * the backups there have other holders.
 */
final class WarmupTrigger {
    private final BlockLifecycle blocks;
    private final GracefulShutdown shutdown;
    private boolean started;

    WarmupTrigger(BlockLifecycle blocks, GracefulShutdown shutdown) {
        this.blocks = blocks;
        this.shutdown = shutdown;
    }

    /** The group monitors this daemon. */
    void monitored(DaemonTurn turn) {
        if (!started && !blocks.hasBlocks() && !shutdown.isRequested()) {
            started = true;
            turn.add(new DaemonAction.WarmUp());
        }
    }

    /** The daemon knows the holders of the group that it was transferred to. */
    void transferred(DaemonTurn turn) {
        started = false;
        monitored(turn);
    }
}
