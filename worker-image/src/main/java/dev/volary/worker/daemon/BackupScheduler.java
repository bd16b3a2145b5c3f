// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.backup.BackupInterval;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.progress.EndForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How often this daemon's blocks are backed up: as given, or as {@link BackupInterval} says for what was measured, every few
 * seconds again; not at all while no holder can be reached, or if the job ends in a moment. Copies are reported by compute
 * threads, samples by one other.
 */
final class BackupScheduler {
    private static final long DECIDE_INTERVAL = TimeUnit.SECONDS.toNanos(5);
    private static final double REPORTED_CHANGE = 0.25; // relative change of the interval
    /** Iterations until the first backup, which measures what the next ones cost. */
    private static final long AT_ONCE = 1;

    /** The interval is decided again once iterations are this many times faster, as after their code was compiled. */
    private static final double FASTER = 1.5;

    private static final double NEWEST = 0.3; // weight of the newest measurement in an average
    private static final double GROWTH = 1.25; // most that one copy may add to the cost: it may just have lost its core
    /** Copies from which the cost is known. The first ones may lose their core while a job starts, so the next one comes soon. */
    private static final int SURE = 3;

    private static final double SOON_SECONDS = 2;

    /** If the job ends within this time of its first iteration, it makes no backup. */
    private static final Duration MOMENT = Duration.ofSeconds(5);

    private final long given;
    private final int blocks;
    private final double tolerance;
    private final long start;
    private double stallSeconds;
    private double bytes;
    private int copies;
    private double iterations = Double.NaN;
    private long sampledAt;
    private double iterationSeconds = Double.NaN;
    private double decidedSeconds = Double.NaN; // iterationSeconds in the last decision
    private long inForce;
    private boolean hasTakenOver;
    private long failuresUntil;
    private long decideAt = Long.MIN_VALUE;
    /** Hints of the first moment, by the time since the first iteration. */
    private final List<EndForecast.Point> hints = new ArrayList<>();

    private long begunAt = Long.MAX_VALUE; // the first iteration

    /**
     * As the description of the job says.
     *
     * @param unknowns of the whole job
     * @param now in nanoseconds
     */
    static BackupScheduler of(JobDescription job, long unknowns, long now) {
        return new BackupScheduler(
                job.getCheckpointEvery(),
                job.getBlocks(),
                Double.BYTES * unknowns / job.getBlocks(),
                job.getAbsoluteTolerance(),
                now);
    }

    /**
     * @param given iterations between two backups; 0 to find them by measuring
     * @param blocks in the whole job
     * @param bytes of a block's core, until a copy was measured
     * @param tolerance of the residual, absolute, at which the job ends if it has no time steps
     * @param now in nanoseconds, as everywhere here
     */
    BackupScheduler(long given, int blocks, long bytes, double tolerance, long now) {
        this.given = given;
        this.blocks = blocks;
        this.tolerance = tolerance;
        this.bytes = bytes;
        this.stallSeconds = bytes / BackupInterval.COPY_BYTES_PER_SECOND;
        this.start = now;
        this.sampledAt = now;
    }

    /** A state was copied: the block stood still for so long, in which its thread may not have run all the time. */
    synchronized void copied(long nanos, long copiedBytes) {
        double newest = nanos / 1e9;
        boolean isFirst = copies == 0;
        stallSeconds = isFirst ? newest : Math.min(newest, GROWTH * stallSeconds);
        bytes += (isFirst ? 1 : NEWEST) * (copiedBytes - bytes);
        copies++;
    }

    /** This daemon continues a block of another one, which has failed before this one could see it. */
    synchronized void tookOver() {
        hasTakenOver = true;
    }

    /**
     * Takes a sample of all blocks.
     *
     * @param reached how many holders can be reached
     * @param lost how many holders have been lost
     * @return the iterations between backups from now on, if that has changed; 0 for none
     */
    synchronized OptionalLong sampled(List<BlockProgress> samples, int reached, long lost, long now) {
        double sum = samples.stream().mapToLong(BlockProgress::iteration).sum();
        double done = sum - iterations;
        if (done > 0) { // not in the first sample, and not when a block has begun again or was taken away
            double each = (now - sampledAt) / 1e9 * samples.size() / done;
            iterationSeconds =
                    Double.isNaN(iterationSeconds) ? each : iterationSeconds + NEWEST * (each - iterationSeconds);
        }
        if (done != 0) { // NaN in the first sample
            iterations = sum;
            sampledAt = now;
            if (sum > 0) {
                begunAt = Math.min(begunAt, now);
                if (isInFirstMoment(now)) {
                    keepHint(samples, now);
                }
            }
        }
        long failures = Math.max(lost, hasTakenOver ? 1 : 0);
        boolean turned = reached > 0 != inForce > 0;
        boolean isFirstMade = copies > 0 && inForce == AT_ONCE;
        boolean isFaster = FASTER * iterationSeconds < decidedSeconds; // false while one is unknown
        if (!turned && !isFirstMade && !isFaster && failures == failuresUntil && now < decideAt) {
            return OptionalLong.empty();
        }
        long next = reached > 0 ? every(reached, failures, now) : 0;
        failuresUntil = failures;
        decidedSeconds = iterationSeconds;
        decideAt = now + DECIDE_INTERVAL;
        boolean isReported =
                (inForce == 0 || next == 0) ? next != inForce : Math.abs(next - inForce) > REPORTED_CHANGE * inForce;
        if (!isReported) {
            return OptionalLong.empty();
        }
        inForce = next;
        return OptionalLong.of(next);
    }

    /** Whether the job ends in a moment and nothing has failed: nothing needs to be prepared for backups. */
    synchronized boolean endsWithoutBackup(long now) {
        return failuresUntil == 0 && endsSoon(now);
    }

    private void keepHint(List<BlockProgress> samples, long now) {
        double hint = samples.stream().mapToDouble(BlockProgress::hint).max().orElse(Double.NaN);
        boolean isStationary = samples.stream().allMatch(block -> block.step() == 0);
        if (isStationary && hint > 0 && Double.isFinite(hint)) {
            hints.add(new EndForecast.Point(Duration.ofNanos(now - begunAt), hint));
        }
    }

    /**
     * Whether the job ends in a moment, as far as the hints say. A multigrid solve on a large grid takes little longer than a
     * backup does, and would share its cores with it.
     */
    private boolean endsSoon(long now) {
        return isInFirstMoment(now)
                && EndForecast.byResiduals(hints, tolerance)
                        .filter(end -> end.compareTo(MOMENT) <= 0)
                        .isPresent();
    }

    private boolean isInFirstMoment(long now) {
        return now - begunAt < MOMENT.toNanos();
    }

    private long every(int reached, long failures, long now) {
        if (given > 0 || Double.isNaN(iterationSeconds)) {
            return given; // 0 before the first iteration
        }
        if (copies == 0) {
            return failures == 0 && endsSoon(now) ? 0 : AT_ONCE;
        }
        BackupInterval interval = new BackupInterval(
                blocks, failures, (1 + reached) * ((now - start) / 1e9), stallSeconds, (long) bytes, iterationSeconds);
        return copies < SURE ? interval.iterationsWithin(SOON_SECONDS) : interval.iterations();
    }
}
