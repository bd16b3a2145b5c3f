// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.SnapshotConfig;

/**
 * Tries a snapshot when a detector claims that the job has converged. The snapshots of the time grid are taken too, but only to
 * be shown: what they happen to record does not end the job. If several of them in a row are good enough and the detector still
 * claims nothing, it is blind for this problem, and the last of them counts.
 */
public final class DetectorTrigger implements SnapshotTrigger {
    private static final int BLIND = 10;

    private final PeriodicTrigger grid;
    private boolean isDetected;
    private boolean isDeciding;
    private int consecutive;

    public DetectorTrigger(SnapshotConfig config) {
        grid = new PeriodicTrigger(config);
    }

    @Override
    public void converged() {
        isDetected = true;
    }

    @Override
    public boolean isTrying() {
        return isDetected || isDeciding;
    }

    @Override
    public void withdrawn() {
        isDetected = false;
        isDeciding = false;
    }

    @Override
    public boolean waitsForDetector() {
        return true;
    }

    @Override
    public void start(long now, boolean isFirstStep) {
        grid.start(now, isFirstStep);
    }

    @Override
    public void setLargestHint(double largest) {
        grid.setLargestHint(largest);
    }

    @Override
    public boolean hintsAreSmall() {
        return grid.hintsAreSmall();
    }

    @Override
    public double largestHint() {
        return grid.largestHint();
    }

    @Override
    public long wakeUp() {
        return isDetected ? Long.MIN_VALUE : grid.onGrid();
    }

    @Override
    public void opened(long now) {
        isDeciding = isDetected;
        isDetected = false;
        grid.opened(now);
    }

    @Override
    public boolean decides(boolean good) {
        consecutive = good ? consecutive + 1 : 0;
        return isDeciding || consecutive >= BLIND;
    }

    @Override
    public void closed(double residual, long costNanos, long now) {
        isDeciding = false;
        grid.closed(residual, costNanos, now);
    }

    @Override
    public boolean broken() {
        withdrawn();
        return false;
    }
}
