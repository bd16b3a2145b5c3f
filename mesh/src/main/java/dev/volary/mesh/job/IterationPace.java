// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import dev.volary.mesh.v1.JobDescription;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The least duration of an iteration, for all workers or for one. */
public final class IterationPace {
    /** Among names of workers. */
    public static final String ALL_WORKERS = "*";

    private IterationPace() {}

    /** Sets it for a worker, or for {@link #ALL_WORKERS} that have none. */
    public static void put(JobDescription.Builder job, String worker, Duration pace) {
        job.putIterationMicros(worker, pace.dividedBy(ChronoUnit.MICROS.getDuration()));
    }

    /** A worker's; nothing if it computes as fast as it can. */
    public static Duration of(JobDescription job, String worker) {
        long all = job.getIterationMicrosMap().getOrDefault(ALL_WORKERS, 0L);
        return Duration.of(job.getIterationMicrosMap().getOrDefault(worker, all), ChronoUnit.MICROS);
    }
}
