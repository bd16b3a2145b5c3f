// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import java.util.Arrays;

/**
 * Computes how much of its heap a daemon on a cluster may fill with blocks: what is left beside the copies of block states that it
 * holds for others and makes of its own, and never more than a share.
 *
 * @param largestBytes the largest state of a block
 * @param stateBytes the states of all blocks
 * @param copies backups of each block
 * @param daemons of the job
 */
public record DaemonHeap(long largestBytes, long stateBytes, int copies, int daemons) {
    /** Classes and connections. */
    private static final long OWN_BYTES = 48L << 20;

    /** Of each block, at the same time: what a snapshot has recorded, and memory for the next record. */
    private static final int OF_SNAPSHOT = 2;

    /** Of each block, at the same time: its newest copy, and one as a value, in a message and in a buffer. */
    private static final int OF_BACKUP = 4;

    /** The collector leaves gaps between large arrays. */
    private static final double ROOM = 1.2;

    /**
     * Of a job.
     *
     * @param stateSizes values of each block's state
     */
    public static DaemonHeap of(long[] stateSizes, int copies, int daemons) {
        return new DaemonHeap(
                Double.BYTES * Arrays.stream(stateSizes).max().orElse(0),
                Double.BYTES * Arrays.stream(stateSizes).sum(),
                copies,
                daemons);
    }

    /** The heap that is needed beside the blocks. */
    public long besideBlocks() {
        long ofBackups = copies == 0 ? 0 : (OF_BACKUP + copies) * stateOfDaemon();
        return OWN_BYTES + (long) (ROOM * (OF_SNAPSHOT * stateOfDaemon() + ofBackups));
    }

    /** The states of a daemon's blocks, all of which may be copied at the same time. */
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
