package dev.volary.checkpoint;

/**
 * How often data is backed up when nobody says: the interval that loses least time, after Young, with the share of a block's
 * loss that delays the whole job ([alg §E.4]). Pure.
 *
 * @param blocks p, in the whole job
 * @param failures observed on this pool of nodes
 * @param nodeSeconds observed on this pool of nodes, seconds times nodes
 * @param stallSeconds C, compute time lost to one backup: the copying; an average
 * @param bytes of one backup
 * @param linkBytesPerSecond what the network carries
 * @param iterationSeconds time of one iteration; an average
 */
public record AutoInterval(
        int blocks,
        long failures,
        double nodeSeconds,
        double stallSeconds,
        long bytes,
        double linkBytesPerSecond,
        double iterationSeconds) {
    private static final double PRIOR_NODE_SECONDS = 86_400; // a Gamma prior worth one failure in one node-day
    private static final double LINK_SHARE = 0.05; // of the network that backups may take

    /** N: iterations from one data backup to the next, at least 1. */
    public long iterations() {
        double iterations = Math.rint(seconds() / iterationSeconds);
        return iterations >= 1 ? (long) Math.min(iterations, Long.MAX_VALUE) : 1; // NaN before the first iteration
    }

    /** Time from one data backup to the next. */
    public double seconds() {
        double failureRate = (failures + 1) / (nodeSeconds + PRIOR_NODE_SECONDS);
        double best = seconds(stallSeconds, blocks * failureRate, delayingShare(blocks));
        return Math.max(best, bytes / (linkBytesPerSecond * LINK_SHARE));
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
