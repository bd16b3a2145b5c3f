package dev.volary.protocol.snapshot;

/**
 * Notices that all local hints are small while the certified residual neither is nor falls: typical of a dead link or of heavy
 * asynchrony (algorithms reference §C.6).
 */
final class StallWatch {
    private static final int SNAPSHOTS = 3;
    private static final double NOT_FALLING = 0.9;

    private double last = Double.POSITIVE_INFINITY;
    private int stalled;

    /** A snapshot closed above the tolerance; returns whether people should be told, once for each stall. */
    boolean closed(boolean hintsSmall, double residual) {
        boolean falling = residual < NOT_FALLING * last;
        last = residual;
        stalled = hintsSmall && !falling ? stalled + 1 : 0;
        return stalled == SNAPSHOTS;
    }
}
