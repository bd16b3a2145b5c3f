// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import dev.volary.protocol.config.BackupPolicy;
import java.util.Arrays;

/**
 * Computes how much of its heap a daemon on a cluster may fill with blocks: what is left beside the copies of block states that it
 * holds for others and makes of its own, and never more than a share.
 *
 * @param largestBytes the largest state of a block
 * @param stateBytes the states of all blocks
 * @param copies backups of each block
 * @param generations of backups that are kept: 2 in the synchronous scheme, where all blocks are copied at the same time, else 1
 * @param daemons of the job
 */
public record DaemonHeap(long largestBytes, long stateBytes, int copies, int generations, int daemons) {
    /** Classes and connections. */
    private static final long OWN_BYTES = 48L << 20;

    /** Of each block, at the same time: what a snapshot has recorded, and memory for the next record. */
    private static final int OF_SNAPSHOT = 2;

    /** Of each block that is backed up: its state as a value, in a message and in a buffer. */
    private static final int IN_TRANSIT = 3;

    /** The collector leaves gaps between large arrays. */
    private static final double ROOM = 1.2;

    /**
     * Of a job.
     *
     * @param stateSizes values of each block's state
     */
    public static DaemonHeap of(long[] stateSizes, int copies, int generations, int daemons) {
        return new DaemonHeap(
                Double.BYTES * Arrays.stream(stateSizes).max().orElse(0),
                Double.BYTES * Arrays.stream(stateSizes).sum(),
                copies,
                generations,
                daemons);
    }

    /** The heap that is needed beside the blocks. */
    public long besideBlocks() {
        return OWN_BYTES + (long) (ROOM * (OF_SNAPSHOT * stateOfDaemon() + (copies == 0 ? 0 : ofBackups())));
    }

    /** The newest copy of each block of its own, those that it holds for others, and those in transit. */
    private long ofBackups() {
        long inTransit =
                generations > 1 ? stateOfDaemon() : Math.min(stateOfDaemon(), BackupPolicy.AT_ONCE * largestBytes);
        return (1L + copies) * generations * stateOfDaemon() + IN_TRANSIT * inTransit;
    }

    /** The states of a daemon's blocks, all of which a snapshot copies at the same time. */
    private long stateOfDaemon() {
        return Math.max(largestBytes, Math.ceilDiv(stateBytes, daemons));
    }

    /**
     * The heap that blocks may fill; negative if there is not even enough for the rest.
     *
     * @param heapBytes of the daemon
     */
    public long blockBytes(long heapBytes) {
        return Math.min((long) (heapBytes * ContainerHeap.BLOCKS_SHARE), heapBytes - besideBlocks());
    }
}
