// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

/**
 * Relates the memory limit of a worker's container to the heap of its JVM. An eighth of the limit is for direct buffers (the
 * worker sees to that); code, classes, stacks and the compiler need the same in every container; the heap gets the rest. A fixed
 * share for the heap would kill small containers and waste large ones.
 */
public final class ContainerHeap {
    /** The limit of a container whose template gives none. */
    public static final long DEFAULT_LIMIT_BYTES = 512L << 20;

    /** Of the heap, at most, for blocks; the rest is for the mesh and for copies of other workers' blocks. */
    public static final double BLOCKS_SHARE = 0.5;

    /** A daemon with C2, both meshes and the checkpoint store had 160 MiB beside a full heap after ten minutes. */
    private static final double NATIVE_BYTES = 160 << 20;

    private static final double DIRECT_SHARE = 1.0 / 8;
    private static final double LEAST_SHARE = 0.25;
    private static final double MOST_SHARE = 0.75;

    private ContainerHeap() {}

    /** The share of the limit that is heap. */
    public static double share(double limitBytes) {
        double rest = 1 - DIRECT_SHARE - NATIVE_BYTES / Math.max(1, limitBytes);
        return Math.clamp(rest, LEAST_SHARE, MOST_SHARE);
    }

    /** The heap of a container with this limit. */
    public static long heapBytes(long limitBytes) {
        return (long) (share((double) limitBytes) * limitBytes);
    }

    /** The least limit, in whole MiB, that gives this heap. */
    public static long limitBytes(long heapBytes) {
        double moderate = (heapBytes + NATIVE_BYTES) / (1 - DIRECT_SHARE);
        double limit = Math.min(heapBytes / LEAST_SHARE, Math.max(moderate, heapBytes / MOST_SHARE));
        return (long) Math.ceil(limit / (1 << 20)) << 20;
    }
}
