// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

/**
 * How often data is backed up if the manifest gives no interval: the one that loses least time, after Young, with the share of a block's
 * loss that delays the whole job (docs/explanation/backups-and-checkpoints.md, "how often"), and with it two bounds: of the
 * network, and of the processors while nothing fails. Pure.
 *
 * @param blocks p, in the whole job
 * @param failures observed on this pool of nodes
 * @param nodeSeconds observed on this pool of nodes, seconds times nodes
 * @param stallSeconds C, compute time lost to one backup: the copying; an average
 * @param bytes of one backup
 * @param iterationSeconds time of one iteration; an average
 */
public record BackupInterval(
        int blocks, long failures, double nodeSeconds, double stallSeconds, long bytes, double iterationSeconds) {
    /** What copying is taken to do until it is measured. */
    public static final double COPY_BYTES_PER_SECOND = 1e9;

    private static final double LINK_BYTES_PER_SECOND = 125e6; // assumed, not measured: 1 Gbit/s
    private static final double PRIOR_NODE_SECONDS = 86_400; // a Gamma prior worth one failure in one node-day
    private static final double LINK_SHARE = 0.05; // of the network that backups may take
    private static final double PROCESSOR_SHARE = 0.001; // of a processor, for each block, while nothing fails
    private static final double FRUGAL_SECONDS = 20; // longest interval for the sake of the processors
    private static final double WORK_SECONDS = 0.002;
    private static final double WORK_SECONDS_PER_BYTE = 8e-9;

    /** N: iterations from one data backup to the next, at least 1. */
    public long iterations() {
        return iterations(seconds());
    }

    /** As {@link #iterations()}, but backups are at most this time apart if the network has room for them. */
    public long iterationsWithin(double mostSeconds) {
        return iterations(Math.min(seconds(), Math.max(mostSeconds, networkSeconds())));
    }

    private long iterations(double seconds) {
        double iterations = iterationSeconds > 0 ? Math.rint(seconds / iterationSeconds) : 1;
        return (long) Math.clamp(iterations, 1, Long.MAX_VALUE);
    }

    /** Time from one data backup to the next. */
    public double seconds() {
        double work = workSeconds(bytes);
        // Where workers fail a backup is worth what they make it; until then what it costs all processors shall hardly
        // count.
        double frugal = Math.min(work / PROCESSOR_SHARE, FRUGAL_SECONDS);
        double least = failures == 0 ? frugal : Math.min(frugal, best(work));
        return Math.max(Math.max(best(stallSeconds), least), networkSeconds());
    }

    private double networkSeconds() {
        return bytes / (LINK_BYTES_PER_SECOND * LINK_SHARE);
    }

    private double best(double costSeconds) {
        double assumed = (failures + 1) / (nodeSeconds + PRIOR_NODE_SECONDS);
        double seen = failures == 0 ? 0 : failures / nodeSeconds; // in the first hours the assumption hides it
        return seconds(costSeconds, blocks * Math.max(assumed, seen), delayingShare(blocks));
    }

    /**
     * Processor time that a backup costs all workers together: forming, encrypting, sending and keeping it, and the garbage of
     * that. It is not measured at run time; docs/decisions/0014 gives its source.
     */
    static double workSeconds(long bytes) {
        return WORK_SECONDS + bytes * WORK_SECONDS_PER_BYTE;
    }

    /** √(2C/(Λφ)), for a stall C in seconds and failures of any block Λ per second. */
    static double seconds(double stall, double anyFailureRate, double delayingShare) {
        return Math.sqrt(2 * stall / (anyFailureRate * delayingShare));
    }

    /** φ: the part of one block's lost time that delays the whole job; 2/p within [0.02, 1]. */
    static double delayingShare(int blocks) {
        return Math.clamp(2.0 / blocks, 0.02, 1);
    }
}
