// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.SnapshotConfig;
import java.time.Duration;

/**
 * When to open a snapshot (docs/explanation/certification.md, "when a snapshot is tried"): when all local hints are small, when
 * the trend of the certified residual says that the tolerance is reached, and else on a time grid whose period follows from the
 * measured cost.
 *
 * <p>Before the first snapshot, points of the grid are passed over as long as the largest hint is far from small and has at least
 * halved since the last one: a snapshot would certify a residual that is of no use. Each point is twice as late as the one before.
 *
 * <p>An attempt that hints or the trend have caused and that fails without the residual having halved doubles the pause before
 * they may cause the next one, up to the period of the grid. So a misleading hint at most doubles the number of snapshots.
 */
public final class PeriodicTrigger implements SnapshotTrigger {
    /**
     * The first point of the grid. A short job ends before it, by its hints, and is spared a snapshot in code that is not
     * compiled yet.
     */
    static final Duration FIRST_POINT = Duration.ofSeconds(1);
    /** The grid's period grows to this share of the time since the start. */
    private static final double LATEST = 0.02;
    /** Attempts between points of the grid may take this many times its share of the CPU. */
    private static final int EAGER = 10;
    /** Hints above this many times the bound are far from small. */
    private static final double FAR = 10;
    /** Margin of a prediction, in the time predicted. */
    private static final double MARGIN = 0.02;

    private final SnapshotConfig config;
    private double largestHint = Double.POSITIVE_INFINITY;
    private long startedAt;
    private long openedAt;
    /** Whether hints or the trend speak for the attempt. */
    private boolean isEager;

    /** At the last point of the grid that was passed over. */
    private double passedHint = Double.POSITIVE_INFINITY;

    private double lastResidual = Double.POSITIVE_INFINITY;
    private long lastOpenedAt;
    private long pause;
    private long pausedUntil;
    private long gridAt = Long.MAX_VALUE;
    private long predictedAt = Long.MAX_VALUE;

    public PeriodicTrigger(SnapshotConfig config) {
        this.config = config;
    }

    @Override
    public void start(long now, boolean isFirstStep) {
        startedAt = now;
        gridAt = now + (isFirstStep ? FIRST_POINT : config.minimumPeriod()).toNanos();
        pausedUntil = now;
    }

    @Override
    public void setLargestHint(double largest) {
        largestHint = largest;
    }

    @Override
    public boolean hintsAreSmall() {
        return largestHint <= config.hintBound();
    }

    @Override
    public double largestHint() {
        return largestHint;
    }

    @Override
    public void tick(long now) {
        double hint = Math.min(largestHint, Double.MAX_VALUE);
        boolean isFirst = lastResidual == Double.POSITIVE_INFINITY;
        if (now >= gridAt && isFirst && hint > FAR * config.hintBound() && hint <= passedHint / 2) {
            passedHint = hint;
            gridAt = now + (now - startedAt);
        }
    }

    /** The next point of the time grid. */
    long onGrid() {
        return gridAt;
    }

    @Override
    public long wakeUp() {
        if (gridAt == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long eager = hintsAreSmall() ? pausedUntil : Math.max(pausedUntil, predictedAt);
        return Math.min(gridAt, eager);
    }

    @Override
    public void opened(long now) {
        openedAt = now;
        isEager = hintsAreSmall() || now >= predictedAt;
    }

    @Override
    public boolean decides(boolean goodEnough) {
        return true;
    }

    @Override
    public boolean broken() {
        return true;
    }

    @Override
    public void closed(double residual, long costNanos, long now) {
        double shortest = (double) config.minimumPeriod().toNanos();
        double period =
                Math.max(Math.max(costNanos / config.cpuShare(), shortest), LATEST * (double) (now - startedAt));
        if (isEager) {
            double least = Math.max(costNanos / (EAGER * config.cpuShare()), shortest / EAGER);
            boolean halved = residual <= lastResidual / 2;
            pause = (long) Math.min(period, Math.max(least, halved ? pause / 2.0 : 2.0 * pause));
            pausedUntil = now + pause;
        }
        gridAt = now + (long) period;
        predictedAt = predict(residual);
        lastResidual = residual;
        lastOpenedAt = openedAt;
    }

    /** {@code t* = t + (ln r − ln tol) / rate} with the rate of the last two certified residuals. */
    private long predict(double residual) {
        double fall = Math.log(lastResidual / residual);
        if (!(fall > 0) || !Double.isFinite(fall) || openedAt <= lastOpenedAt) {
            return Long.MAX_VALUE;
        }
        double wait = (openedAt - lastOpenedAt) * (Math.log(residual / config.tolerance()) / fall);
        return wait < Long.MAX_VALUE / 4.0 ? openedAt + (long) (wait * (1 + MARGIN)) : Long.MAX_VALUE;
    }
}
