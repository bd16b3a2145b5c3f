// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.SnapshotConfig;

/** Decides when a snapshot is tried, and nothing else: whether the job has converged is for the snapshot. */
public sealed interface SnapshotTrigger permits PeriodicTrigger, DetectorTrigger {

    /** The trigger that the configuration selects. */
    static SnapshotTrigger of(SnapshotConfig config) {
        return config.waitsForDetector() ? new DetectorTrigger(config) : new PeriodicTrigger(config);
    }

    /** A detector claims that the job has converged: the next snapshot decides. */
    default void converged() {}

    /** Whether a snapshot tests the claim of a detector, or is about to. */
    default boolean isTrying() {
        return false;
    }

    /** The claim of a detector is void. */
    default void withdrawn() {}

    /** Whether only the claim of a detector opens a snapshot that ends the job. */
    default boolean waitsForDetector() {
        return false;
    }

    /**
     * All blocks iterate, or a time step begins.
     *
     * @param isFirstStep whether it is the first one, or the only one
     */
    void start(long now, boolean isFirstStep);

    /** The largest of all blocks' newest hints. */
    void setLargestHint(double largest);

    /** Time has passed; called before {@link #isDue}. */
    default void tick(long now) {}

    boolean hintsAreSmall();

    double largestHint();

    default boolean isDue(long now) {
        return now >= wakeUp();
    }

    /** The next attempt's time as it looks now. */
    long wakeUp();

    void opened(long now);

    /** Whether the open snapshot ends the job if it is good enough, as it is or not. */
    boolean decides(boolean goodEnough);

    /** A snapshot closed and did not end the job. */
    void closed(double residual, long costNanos, long now);

    /** The open snapshot is given up; returns whether the next one begins at once. */
    boolean broken();
}
