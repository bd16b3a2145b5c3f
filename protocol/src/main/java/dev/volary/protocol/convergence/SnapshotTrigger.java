// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.SnapshotConfig;

/** Says when a snapshot is tried. It never says more: whether the job has converged is for the snapshot. */
public sealed interface SnapshotTrigger permits PeriodicTrigger, DetectorTrigger {

    /** The trigger that the configuration selects. */
    static SnapshotTrigger of(SnapshotConfig config) {
        return config.waitsForDetector() ? new DetectorTrigger(config) : new PeriodicTrigger(config);
    }

    /** A detector says that the job has converged: the next snapshot decides. */
    default void converged() {}

    /** Whether a detector's word is being tried, or is about to be. */
    default boolean isTrying() {
        return false;
    }

    /** What a detector has said is void. */
    default void withdrawn() {}

    /** Whether only a detector's word opens a snapshot that ends the job. */
    default boolean waitsForDetector() {
        return false;
    }

    /** All blocks iterate. */
    void start(long now);

    /** The largest of all blocks' newest hints. */
    void hint(double largest);

    boolean hintsAreSmall();

    double largestHint();

    default boolean due(long now) {
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
