// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.display.FailureSummary.Cost;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What processes that ended cost in processor time: the time of all workers since the first of them ended, less what the same
 * progress took before. Progress is that of the job, so what is computed again counts as cost, as do the start of a replacement
 * and its compilers. Pure.
 */
final class CoreTime {
    /** Of each worker: the start of a JVM and its compilers would make the first updates look expensive. */
    private static final double SETTLING_CORE_SECONDS = 7;

    private static final double LEAST_CORE_SECONDS = 2;

    private record Sample(int workers, double coreSeconds, double updates) {
        double updatesPerCoreSecondUntil(Sample later) {
            return (later.updates - updates) / (later.coreSeconds - coreSeconds);
        }
    }

    private @Nullable Sample settled;
    private @Nullable Sample lastUndisturbed;
    private @Nullable Sample last;

    /**
     * Takes a sample while all blocks compute, or stand still because of a failure.
     *
     * @param workers number of workers that there ever were
     * @param all processor time of all of them
     * @param updates of single unknowns that the blocks' states contain
     * @param isDisturbed whether a worker has been ended or paused before
     */
    void sampled(int workers, Duration all, double updates, boolean isDisturbed) {
        Sample sample = new Sample(workers, all.toNanos() / 1e9, updates);
        if (isDisturbed) {
            last = sample;
            return;
        }
        if (settled == null && sample.coreSeconds >= SETTLING_CORE_SECONDS * workers) {
            settled = sample;
        }
        lastUndisturbed = sample;
    }

    /**
     * The cost since the first disturbance; empty if that came in the first seconds, when there is nothing to compare with.
     *
     * @param ended number of processes that ended
     */
    Optional<Cost> of(int ended) {
        Sample from = settled;
        Sample until = lastUndisturbed;
        Sample end = last;
        if (ended == 0 || from == null || until == null || end == null) {
            return Optional.empty();
        }
        if (until.coreSeconds - from.coreSeconds < LEAST_CORE_SECONDS * until.workers) {
            return Optional.empty();
        }
        double before = from.updatesPerCoreSecondUntil(until);
        double since = until.updatesPerCoreSecondUntil(end);
        if (!(before > 0) || !Double.isFinite(since)) {
            return Optional.empty();
        }
        double needed = (end.updates - until.updates) / before;
        return Optional.of(new Cost(before, since, (end.coreSeconds - until.coreSeconds - needed) / ended));
    }
}
