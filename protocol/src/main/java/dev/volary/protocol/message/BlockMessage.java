// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import java.util.List;

/**
 * Which daemon serves which block: what spawners assign, what daemons report, and what the daemons of neighboring blocks send
 * each other.
 */
public sealed interface BlockMessage {

    /** From the owner of a group to its daemons. */
    sealed interface Command extends BlockMessage, ToDaemon {}

    /**
     * A spawner assigns blocks to a daemon: each entry names this daemon.
     *
     * @param copies the newest backups of these blocks, where the spawner knows of any
     */
    record Assign(GroupTerm term, List<BlockAssignment> blocks, List<BackupVersion> copies) implements Command {
        public Assign {
            blocks = List.copyOf(blocks);
            copies = List.copyOf(copies);
        }
    }

    /**
     * Entries the receiver needs: a truncated directory for a daemon, boundary blocks for another group's owner. Repeated until
     * {@link DirectoryAck}.
     *
     * @param version grows with each change of the entries for this receiver
     */
    record DirectoryUpdate(long version, List<BlockAssignment> entries) implements Command, ToSpawner {
        public DirectoryUpdate {
            entries = List.copyOf(entries);
        }
    }

    /** From a daemon to the owner of its group. */
    sealed interface Report extends BlockMessage, ToSpawner {}

    /** The receiver knows the entries of this version. */
    record DirectoryAck(long version) implements Report {}

    /** A daemon does not find these blocks at their known addresses: its spawner sends its entries again. */
    record DirectoryRequest(List<Integer> blocks) implements Report {
        public DirectoryRequest {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * A block cannot be opened or computed; the reason names block, value and remedy.
     *
     * @param fatal it would fail anywhere, which ends the job; else another daemon tries
     */
    record BlockFailed(int block, Incarnation incarnation, String reason, boolean fatal) implements Report, ToLeader {}

    /** From the daemon of a block to that of a neighbor. */
    sealed interface Neighbor extends BlockMessage, ToDaemon {}

    /** Block {@code from} serves now: its neighbor {@code to} answers at once with its newest halo. */
    record BlockHello(int from, Incarnation incarnation, int to) implements Neighbor {}

    /** The receiver sent data for {@code block} under an incarnation that is no longer the newest. */
    record StaleIncarnation(int block, Incarnation newest) implements Neighbor, ToSpawner {}

    /** The receiver greeted a daemon that does not serve the block; this one does. */
    record BlockMoved(BlockAssignment entry) implements Neighbor {}

    /** Asks for the halo of exactly this iteration again (synchronous scheme, after a loss). */
    record HaloRequest(int from, int to, int step, long iteration) implements Neighbor {}
}
