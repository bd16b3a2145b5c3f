// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

/** Says when a snapshot is tried. It never says more: whether the job has converged is for the snapshot. */
public sealed interface SnapshotTrigger permits PeriodicTrigger, DetectorTrigger {

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
