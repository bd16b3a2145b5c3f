// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.JobStatus;
import java.time.Duration;
import java.time.Instant;

/**
 * Limits how often a status is written: other changes at most once a second, progress alone every few seconds. An unchanged
 * status is never written.
 *
 * @param change minimum time between two writes
 * @param progress minimum time before a write that only updates the progress
 */
record StatusThrottle(Duration change, Duration progress) {
    static final StatusThrottle STANDARD = new StatusThrottle(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** Time until the change may be written; zero for now. */
    Duration wait(JobStatus old, JobStatus next, Instant last, Instant now) {
        if (last.equals(Instant.MIN)) {
            return Duration.ZERO;
        }
        Duration wait = (isProgress(old, next) ? progress : change).minus(Duration.between(last, now));
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    /** Whether the two differ only in the progress of the job. */
    static boolean isProgress(JobStatus old, JobStatus next) {
        return withoutProgress(old).equals(withoutProgress(next));
    }

    private static JobStatus withoutProgress(JobStatus status) {
        return status.but(next -> {
            next.iterations = null;
            next.certifiedResidual = null;
            next.predictedCompletionTime = null;
            DaemonStatus daemons = next.daemons;
            if (daemons != null) {
                next.daemons = new DaemonStatus(daemons.desired(), daemons.replicas(), 0, 0);
            }
        });
    }
}
