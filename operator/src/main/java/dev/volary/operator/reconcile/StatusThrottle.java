// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.JobStatus;
import java.time.Duration;
import java.time.Instant;

/**
 * How often a status may be written: what has changed in kind after a second, mere progress after a few. A status that has not
 * changed is never written.
 *
 * @param change least time between two writes
 * @param progress least time before one that only says how far the job is
 */
record StatusThrottle(Duration change, Duration progress) {
    static final StatusThrottle STANDARD = new StatusThrottle(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** How long a change has to wait; zero if it may be written now. */
    Duration wait(JobStatus old, JobStatus next, Instant last, Instant now) {
        if (last.equals(Instant.MIN)) {
            return Duration.ZERO;
        }
        Duration wait = (isProgress(old, next) ? progress : change).minus(Duration.between(last, now));
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    /** Whether the two differ only in how far the job is. */
    static boolean isProgress(JobStatus old, JobStatus next) {
        return withoutProgress(old).equals(withoutProgress(next));
    }

    private static JobStatus withoutProgress(JobStatus status) {
        return status.but(draft -> {
            draft.iterations = null;
            draft.certifiedResidual = null;
            DaemonStatus daemons = draft.daemons;
            if (daemons != null) {
                draft.daemons = new DaemonStatus(daemons.desired(), daemons.replicas(), 0, 0);
            }
        });
    }
}
