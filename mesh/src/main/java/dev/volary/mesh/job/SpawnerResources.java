// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

/**
 * Computes the heap, and the disk space, that a spawner needs for a job on a cluster. Parts and result pass through buffers to the disk, whatever their
 * size; what grows with the job are the backups that a spawner keeps for daemons, and the indices of blocks that are no boxes. A
 * spawner whose heap is too small for backups leaves them to the daemons where these are enough. Measured by LargeResultIT and
 * SmallHeapIT.
 *
 * @param unknowns of the job
 * @param isBoxes whether every block is a box of a grid
 * @param copies backups of each block that the job asks for
 * @param generations backups of one block that one holder keeps: 2 in the synchronous scheme, 1 in the asynchronous one
 * @param daemons of the job
 * @param spawners of the job
 * @param kept vectors that a spawner keeps beside those of the result: the best answer of a job with a deadline
 */
public record SpawnerResources(
        long unknowns, boolean isBoxes, int copies, int generations, int daemons, int spawners, int kept) {
    /** What a spawner's heap holds beside the result: classes, connections, and the job's blocks and neighbors. */
    private static final long OWN_BYTES = 48L << 20;

    /** Eight parts that arrive, 1 MiB of each, and a chunk of the result with the buffer that it is written from. */
    private static final long TRANSFER_BYTES = 8 * (1L << 20) + 2 * (8L << 20);

    private static final int DISK_COPIES = 3;

    /** The collector leaves gaps between large arrays, and a spawner must not collect all the time. */
    private static final double ROOM = 1.4;

    /** Of a job that keeps no other vectors than its result's. */
    public SpawnerResources(long unknowns, boolean isBoxes, int copies, int generations, int daemons, int spawners) {
        this(unknowns, isBoxes, copies, generations, daemons, spawners, 0);
    }

    /** The bytes that the result has. */
    public long resultBytes() {
        return unknowns * Double.BYTES;
    }

    /** The bytes of backups that a spawner keeps, if it keeps any. */
    public long backupBytes() {
        int holders = daemons + spawners;
        int kept = Math.min(copies, holders - 1);
        return (long) ((double) kept * generations * resultBytes() / holders);
    }

    /** The heap that a spawner needs to keep its share of the backups. */
    public long heapBytes() {
        return heapBytes(backupBytes());
    }

    private long heapBytes(long backups) {
        long indices = isBoxes ? 0 : unknowns * Integer.BYTES;
        return OWN_BYTES + (long) (ROOM * (TRANSFER_BYTES + indices + backups));
    }

    /** The smallest heap that is enough: where daemons alone can hold all copies, one without backups. */
    public long leastHeapBytes() {
        return daemonsHoldAllCopies() ? heapBytes(0) : heapBytes();
    }

    /** A spawner's group shares its holders with at most one other group. */
    private boolean daemonsHoldAllCopies() {
        return Math.min(spawners, 2) * (daemons / spawners) > copies;
    }

    /**
     * Whether a spawner keeps backups.
     *
     * @param givenBytes its heap
     */
    public boolean keepsBackups(long givenBytes) {
        return copies > 0 && (givenBytes >= heapBytes() || !daemonsHoldAllCopies());
    }

    /**
     * What is wrong with a heap that is too small.
     *
     * @param givenBytes heap of a spawner
     */
    public String heapRefusal(long givenBytes) {
        String problem = "leaves a spawner a heap of %d MiB, but a job of %d unknowns needs %d MiB"
                .formatted(mebi(givenBytes), unknowns, mebi(leastHeapBytes()));
        return daemonsHoldAllCopies()
                ? problem
                : problem
                        + ", %d MiB of it for backups, for %d daemons alone cannot hold %d copies of each block"
                                .formatted(mebi(backupBytes()), daemons, copies);
    }

    /** What to do then. */
    public String heapRemedy() {
        String remedy = "set resources.limits.memory of its container \"worker\" to %dMi or more"
                .formatted(mebi(ContainerHeap.limitBytes(leastHeapBytes())));
        return daemonsHoldAllCopies() ? remedy : remedy + ", take more daemons, or lower spec.checkpoint.copies";
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
