// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

/**
 * Computes the heap, and the disk space, that a spawner needs for a job on a cluster. Parts and result pass through buffers to the disk, whatever their
 * size; what grows with the job are the backups that a spawner keeps for daemons, and the indices of blocks that are no boxes.
 * Measured by LargeResultIT and SmallHeapIT.
 *
 * @param unknowns of the job
 * @param isBoxes whether every block is a box of a grid
 * @param copies backups of each block that the job asks for
 * @param generations backups of one block that one holder keeps: 2 in the synchronous scheme, 1 in the asynchronous one
 * @param holders workers that keep backups, spawners included
 * @param kept vectors that a spawner keeps beside those of the result: the best answer of a job with a deadline
 */
public record SpawnerResources(long unknowns, boolean isBoxes, int copies, int generations, int holders, int kept) {
    /** What a spawner's heap holds beside the result: classes, connections, and the job's blocks and neighbors. */
    private static final long OWN_BYTES = 48L << 20;

    /** Eight parts that arrive, 1 MiB of each, and a chunk of the result with the buffer that it is written from. */
    private static final long TRANSFER_BYTES = 8 * (1L << 20) + 2 * (8L << 20);

    private static final int DISK_COPIES = 3;

    /** The collector leaves gaps between large arrays, and a spawner must not collect all the time. */
    private static final double ROOM = 1.4;

    /** Of a job that keeps no other vectors than its result's. */
    public SpawnerResources(long unknowns, boolean isBoxes, int copies, int generations, int holders) {
        this(unknowns, isBoxes, copies, generations, holders, 0);
    }

    /** The bytes that the result has. */
    public long resultBytes() {
        return unknowns * Double.BYTES;
    }

    /** The bytes of backups that a spawner keeps. */
    public long backupBytes() {
        int kept = Math.min(copies, holders - 1);
        return (long) ((double) kept * generations * resultBytes() / holders);
    }

    /** The heap that is needed. */
    public long heapBytes() {
        long indices = isBoxes ? 0 : unknowns * Integer.BYTES;
        return OWN_BYTES + (long) (ROOM * (TRANSFER_BYTES + indices + backupBytes()));
    }

    /**
     * What is wrong with a heap that is too small.
     *
     * @param givenBytes heap of a spawner
     */
    public String heapRefusal(long givenBytes) {
        return "leaves a spawner a heap of %d MiB, but a job of %d unknowns needs %d MiB, %d MiB of it for backups of blocks"
                .formatted(mebi(givenBytes), unknowns, mebi(heapBytes()), mebi(backupBytes()));
    }

    /** What to do then. */
    public String heapRemedy() {
        return "set resources.limits.memory of its container \"worker\" to %dMi or more, or lower spec.checkpoint.copies"
                .formatted(mebi(ContainerHeap.limitBytes(heapBytes())));
    }

    /**
     * The disk space that is needed: parts, the result that is assembled from them, and parts of another step, or the vector in the
     * order of its indices; and what is kept beside.
     */
    public long diskBytes() {
        return (DISK_COPIES + kept) * resultBytes();
    }

    /**
     * What is wrong with a limit of the disk space that is too small.
     *
     * @param limitBytes of a spawner
     */
    public String diskRefusal(long limitBytes) {
        return "limits the disk of a spawner to %d MiB, but a result of %d MiB needs %d MiB while it is assembled"
                .formatted(mebi(limitBytes), mebi(resultBytes()), mebi(diskBytes()));
    }

    /** What to do then. */
    public String diskRemedy() {
        return "set resources.limits.ephemeral-storage of its container \"worker\" to %dMi or more, or remove it"
                .formatted(mebi(diskBytes()));
    }

    private static long mebi(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }
}
