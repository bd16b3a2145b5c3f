// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.display.FailureSummary;
import dev.volary.protocol.FailureVerdict.Cause;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.ProgressMessage.BlockProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What crashes cost: how long until they were noticed, how long blocks stood still, how many iterations were lost. Judged from
 * what the parent sees, so as finely as daemons report. Pure; times are nanoseconds and must not decrease.
 */
final class RecoveryStatistics {
    private final Map<String, Long> silentSince = new HashMap<>();
    private final Map<Integer, Seen> blocks = new HashMap<>();
    private final Map<Integer, Gap> gaps = new HashMap<>();
    private final List<Duration> detections = new ArrayList<>();
    private final List<Duration> standstills = new ArrayList<>();
    private final Set<String> lost = new HashSet<>();
    private int provoked;
    private int ended;
    private long lostIterations;

    private record Seen(Incarnation incarnation, long iteration) {}

    private record Gap(String daemon, long since, long before) {}

    /**
     * A block iterates again.
     *
     * @param daemon that serves it now
     * @param iteration where it was first seen there
     * @param lostIterations by how much that is less than what was seen before, or 0
     * @param stoodStill since its daemon fell silent
     */
    record Recovery(int block, String daemon, long iteration, long lostIterations, Duration stoodStill) {}

    /** The perturbator has hit a worker. */
    void struck(String worker, long now) {
        provoked++;
        silentSince.putIfAbsent(worker, now);
    }

    /** A stopped worker goes on: if it falls silent again, that counts from then. */
    void resumed(String worker) {
        silentSince.remove(worker);
    }

    /** A process has ended. */
    void ended(String worker, long now) {
        ended++;
        silentSince.putIfAbsent(worker, now);
    }

    /**
     * A verdict on a daemon.
     *
     * @param silentNanos how long its watchers had not heard it
     * @return how long it took since the daemon fell silent
     */
    Duration lost(String daemon, Cause cause, long silentNanos, List<Integer> served, long now) {
        long since = silentSince.getOrDefault(daemon, now - silentNanos);
        Duration detection = Duration.ofNanos(now - since);
        lost.add(daemon);
        if (cause != Cause.LEFT) {
            detections.add(detection);
        }
        for (int block : served) {
            Seen seen = blocks.get(block);
            gaps.putIfAbsent(
                    block, new Gap(daemon, cause == Cause.LEFT ? now : since, seen == null ? 0 : seen.iteration()));
        }
        return detection;
    }

    /** A daemon reports a block; tells if that ends a standstill. */
    Optional<Recovery> progress(String daemon, BlockProgress report, long now) {
        Seen seen = blocks.get(report.block());
        if (seen != null && seen.incarnation().compareTo(report.incarnation()) > 0) {
            return Optional.empty();
        }
        // The hint is finite from the first iteration of this incarnation on.
        if (report.iteration() == 0 || !Double.isFinite(report.hint())) {
            return Optional.empty();
        }
        blocks.put(report.block(), new Seen(report.incarnation(), report.iteration()));
        Gap gap = gaps.get(report.block());
        if (gap == null || gap.daemon().equals(daemon)) {
            return Optional.empty();
        }
        gaps.remove(report.block());
        Recovery recovery = new Recovery(
                report.block(),
                daemon,
                report.iteration(),
                Math.max(0, gap.before() - report.iteration()),
                Duration.ofNanos(now - gap.since()));
        lostIterations += recovery.lostIterations();
        standstills.add(recovery.stoodStill());
        return Optional.of(recovery);
    }

    /**
     * All of it.
     *
     * @param blockCount blocks of the job
     * @param computing how long the job computed
     */
    FailureSummary survival(int blockCount, Duration computing) {
        double still = standstills.stream().mapToDouble(Duration::toNanos).sum();
        double whole = (double) blockCount * computing.toNanos();
        double done = lostIterations
                + blocks.values().stream().mapToDouble(Seen::iteration).sum();
        return new FailureSummary(
                provoked,
                ended,
                lost.size(),
                detections,
                standstills,
                lostIterations,
                whole > 0 ? still / whole : 0,
                done > 0 ? lostIterations / done : 0);
    }
}
