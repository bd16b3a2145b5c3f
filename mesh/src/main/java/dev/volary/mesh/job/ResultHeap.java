// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

/**
 * Computes the heap that a spawner needs for the result of a job on a cluster. The leader receives each part of the result
 * whole, and all daemons deliver at once; then it assembles the result from the stored parts. Measured by LargeResultIT.
 *
 * @param unknowns of the job
 * @param largestPart unknowns of the largest block
 * @param isBoxes whether every block is a box of a grid, so that the result is assembled part by part
 * @param copies backups of each block that the job asks for
 * @param generations backups of one block that one holder keeps: 2 in the synchronous scheme, 1 in the asynchronous one
 * @param holders workers that keep backups, spawners included
 */
public record ResultHeap(long unknowns, long largestPart, boolean isBoxes, int copies, int generations, int holders) {
    /** What a spawner's heap holds beside the result: classes, connections, and the job's blocks and neighbors. */
    private static final long OWN_BYTES = 48L << 20;

    /** A chunk of the result where blocks are no chunks, and the buffer that it is written from. */
    private static final long CHUNK_BYTES = 2 * (8L << 20);

    /** The collector leaves gaps between large arrays, and a spawner must not collect all the time. */
    private static final double ROOM = 1.4;

    /** The bytes that the result has. */
    public long resultBytes() {
        return unknowns * Double.BYTES;
    }

    /** The heap that is needed. */
    public long bytes() {
        long part = largestPart * Double.BYTES;
        long assembling = isBoxes ? 4 * part : resultBytes() + 2 * part + CHUNK_BYTES;
        int kept = Math.min(copies, holders - 1);
        long backups = (long) ((double) kept * generations * resultBytes() / holders);
        return OWN_BYTES + (long) (ROOM * (Math.max(resultBytes(), assembling) + backups));
    }

    /**
     * What is wrong with a heap that is too small.
     *
     * @param heapBytes of a spawner
     */
    public String refusal(long heapBytes) {
        return "leaves a spawner a heap of %d MiB, but a result of %d unknowns (%d MiB) needs %d MiB"
                .formatted(mebi(heapBytes), unknowns, mebi(resultBytes()), mebi(bytes()));
    }

    /** What to do then. */
    public String remedy() {
        return "set resources.limits.memory of its container \"worker\" to %dMi or more"
                .formatted(mebi(ContainerHeap.limitBytes(bytes())));
    }

    private static long mebi(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }
}
