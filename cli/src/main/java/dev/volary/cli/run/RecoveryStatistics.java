// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.display.FailureSummary;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.FailureVerdict.Cause;
import dev.volary.protocol.model.Incarnation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Measures what failures cost: how long until they were detected, how long blocks stood still, how many iterations were lost.
 * The parent process estimates this from progress reports, so it is as accurate as reports are frequent. Pure; times are
 * nanoseconds and must not decrease.
 */
final class RecoveryStatistics {
    private final Map<String, Long> failedSince = new HashMap<>();
    private final Map<Integer, Reported> blocks = new HashMap<>();
    private final Map<Integer, Standstill> openStandstills = new HashMap<>();
    private final List<Duration> detections = new ArrayList<>();
    private final List<Duration> standstills = new ArrayList<>();
    private final Set<String> lost = new HashSet<>();
    private final CoreTime coreTime = new CoreTime();
    private int provoked;
    private int ended;
    private long lostIterations;

    /** Of committed steps: a block that continues from a later step than its backup's does not compute them again. */
    private double skippedUpdates;

    /**
     * What a block reported last.
     *
     * @param begin iterations before its first report in this step; 0 if the problem has no time steps
     * @param updatesAtBegin updates of unknowns, likewise
     */
    private record Reported(
            Incarnation incarnation, int step, long iteration, double updates, long begin, double updatesAtBegin) {

        static Reported of(BlockProgress report, @Nullable Reported last) {
            if (report.step() == 0) {
                return of(report, 0, 0);
            }
            return last != null && last.step == report.step() && last.incarnation.equals(report.incarnation())
                    ? of(report, last.begin, last.updatesAtBegin)
                    : of(report, report.iteration(), report.updates());
        }

        private static Reported of(BlockProgress report, long begin, double updatesAtBegin) {
            return new Reported(
                    report.incarnation(), report.step(), report.iteration(), report.updates(), begin, updatesAtBegin);
        }

        /** Iterations of this step that are computed again. */
        long lostIterations(BlockProgress now) {
            return Math.clamp(iteration - now.iteration(), 0, iteration - begin);
        }

        double skippedUpdates(BlockProgress now) {
            return Math.max(0, updatesAtBegin - now.updates());
        }
    }

    /** @param before what the block had reported; empty if nothing */
    private record Standstill(String daemon, long since, Optional<Reported> before) {}

    /**
     * A block iterates again.
     *
     * @param daemon daemon that serves it now
     * @param iteration first reported iteration there
     * @param lostIterations by how much this is less than the last iteration reported before, or 0; of the current time step only
     * @param stoodStill time since its former daemon failed
     */
    record Recovery(int block, String daemon, long iteration, long lostIterations, Duration stoodStill) {}

    /** Fault injection ended or paused a worker. */
    void faultInjected(String worker, long now) {
        provoked++;
        failedSince.putIfAbsent(worker, now);
    }

    /** A paused worker continues: a later failure counts from its own start. */
    void continued(String worker) {
        failedSince.remove(worker);
    }

    /** A process ended. */
    void ended(String worker, long now) {
        ended++;
        failedSince.putIfAbsent(worker, now);
    }

    /**
     * A daemon was declared dead, or left.
     *
     * @param silentNanos time since its last heartbeat
     * @return time from its failure to the verdict
     */
    Duration lost(String daemon, Cause cause, long silentNanos, List<Integer> served, long now) {
        long since = failedSince.getOrDefault(daemon, now - silentNanos);
        Duration detection = Duration.ofNanos(now - since);
        lost.add(daemon);
        if (cause != Cause.LEFT) {
            detections.add(detection);
        }
        for (int block : served) {
            Reported last = blocks.get(block);
            openStandstills.putIfAbsent(
                    block, new Standstill(daemon, cause == Cause.LEFT ? now : since, Optional.ofNullable(last)));
        }
        return detection;
    }

    /** A daemon reports the progress of a block; returns the recovery if this ends a standstill. */
    Optional<Recovery> progress(String daemon, BlockProgress report, long now) {
        Reported last = blocks.get(report.block());
        if (last != null && last.incarnation().compareTo(report.incarnation()) > 0) {
            return Optional.empty();
        }
        // the hint is finite from the first iteration of this incarnation on
        if (report.iteration() == 0 || !Double.isFinite(report.hint())) {
            return Optional.empty();
        }
        blocks.put(report.block(), Reported.of(report, last));
        Standstill standstill = openStandstills.get(report.block());
        if (standstill == null || standstill.daemon().equals(daemon)) {
            return Optional.empty();
        }
        openStandstills.remove(report.block());
        Recovery recovery = new Recovery(
                report.block(),
                daemon,
                report.iteration(),
                standstill.before().map(before -> before.lostIterations(report)).orElse(0L),
                Duration.ofNanos(now - standstill.since()));
        lostIterations += recovery.lostIterations();
        skippedUpdates +=
                standstill.before().map(before -> before.skippedUpdates(report)).orElse(0.0);
        standstills.add(recovery.stoodStill());
        return Optional.of(recovery);
    }

    /**
     * Takes the processor time of all workers while the job computes.
     *
     * @param workers how many there ever were
     * @param all processor time of all of them
     */
    void coreTime(int workers, Duration all) {
        double updates = blocks.values().stream().mapToDouble(Reported::updates).sum();
        if (updates > 0) {
            coreTime.sampled(workers, all, skippedUpdates + updates, provoked + ended > 0);
        }
    }

    /**
     * Summarizes the failures so far.
     *
     * @param blockCount number of blocks of the job
     * @param computing how long the job has computed
     */
    FailureSummary summary(int blockCount, Duration computing) {
        double still = standstills.stream().mapToDouble(Duration::toNanos).sum();
        double whole = (double) blockCount * computing.toNanos();
        double done = lostIterations
                + blocks.values().stream().mapToDouble(Reported::iteration).sum();
        return new FailureSummary(
                provoked,
                ended,
                lost.size(),
                detections,
                standstills,
                lostIterations,
                whole > 0 ? still / whole : 0,
                done > 0 ? lostIterations / done : 0,
                coreTime.of(ended));
    }
}
