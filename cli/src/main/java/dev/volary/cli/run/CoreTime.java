// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.display.FailureSummary.Cost;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What processes that ended cost in processor time: the time of all workers since the first of them ended, less what the same
 * progress takes undisturbed. Progress is that of the job, so what is computed again counts as cost, as do the start of a replacement
 * and its compilers. Undisturbed is the time before the first of them ended, or, if that came too early, the stretch in which the job got on
 * best: some seconds after the last replacement and before the next loss. Pure.
 */
final class CoreTime {
    /** Of each worker: the start of a JVM and its compilers would make the first updates look expensive. */
    private static final double SETTLING_CORE_SECONDS = 7;

    private static final double LEAST_CORE_SECONDS = 2;

    /** Of all workers: the longest stretch that fits between losses 10 s apart on two cores, next to a start. */
    private static final double STRETCH_CORE_SECONDS = 8;

    private record Sample(int workers, double coreSeconds, double updates) {
        double updatesPerCoreSecondUntil(Sample later) {
            return (later.updates - updates) / (later.coreSeconds - coreSeconds);
        }
    }

    private @Nullable Sample settled;
    private @Nullable Sample lastUndisturbed;
    private @Nullable Sample first; // disturbed or not
    private @Nullable Sample last;
    /** The newest samples, from the last one before the newest stretch on. */
    private final Deque<Sample> stretch = new ArrayDeque<>();

    private double best; // updates per core-second, of all stretches

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
        if (first == null) {
            first = sample;
        }
        measure(sample);
        if (isDisturbed) {
            last = sample;
            return;
        }
        if (settled == null && sample.coreSeconds >= SETTLING_CORE_SECONDS * workers) {
            settled = sample;
        }
        lastUndisturbed = sample;
    }

    private void measure(Sample newest) {
        stretch.add(newest);
        double begin = newest.coreSeconds - STRETCH_CORE_SECONDS;
        if (stretch.element().coreSeconds > begin) {
            return;
        }
        Sample from = stretch.remove();
        while (stretch.element().coreSeconds <= begin) {
            from = stretch.remove();
        }
        stretch.addFirst(from);
        best = Math.max(best, from.updatesPerCoreSecondUntil(newest));
    }

    /**
     * The cost since the first disturbance; empty if the job was never undisturbed for long enough.
     *
     * @param ended number of processes that ended
     */
    Optional<Cost> of(int ended) {
        Sample until = lastUndisturbed == null ? first : lastUndisturbed;
        Sample end = last;
        if (ended == 0 || until == null || end == null) {
            return Optional.empty();
        }
        double undisturbed = undisturbed();
        double since = until.updatesPerCoreSecondUntil(end);
        if (!(undisturbed > 0) || !Double.isFinite(since)) {
            return Optional.empty();
        }
        double needed = (end.updates - until.updates) / undisturbed;
        return Optional.of(new Cost(undisturbed, since, (end.coreSeconds - until.coreSeconds - needed) / ended));
    }

    private double undisturbed() {
        Sample from = settled;
        Sample until = lastUndisturbed;
        return from == null
                        || until == null
                        || until.coreSeconds - from.coreSeconds < LEAST_CORE_SECONDS * until.workers
                ? best
                : from.updatesPerCoreSecondUntil(until);
    }
}
