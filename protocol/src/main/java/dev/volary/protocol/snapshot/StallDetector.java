// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

/**
 * Notices that all local hints are small while the certified residual neither is nor falls: typical of a dead link or of heavy
 * asynchrony (docs/explanation/certification.md, "local stalls"). Blocks that wait for paced halos come to rest again and again
 * on their way down, so a stall is reported once, and another only after the residual has fallen well below what it was then.
 */
final class StallDetector {
    private static final int SNAPSHOTS = 3;
    private static final double NOT_FALLING = 0.9;
    private static final double MOVED_AGAIN = 0.1;

    private double last = Double.POSITIVE_INFINITY;
    private double reported = Double.POSITIVE_INFINITY;
    private int stalled;

    /** A snapshot closed above the tolerance; returns whether there is a new stall to report. */
    boolean closed(boolean hintsSmall, double residual) {
        boolean falling = residual < NOT_FALLING * last;
        last = residual;
        stalled = hintsSmall && !falling ? stalled + 1 : 0;
        boolean isNew = stalled >= SNAPSHOTS && residual < MOVED_AGAIN * reported;
        if (isNew) {
            reported = residual;
        }
        return isNew;
    }
}
