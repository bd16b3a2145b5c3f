// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StatusThrottleTest {
    private static final Instant LAST = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobStatus OLD = JobStatus.EMPTY.but(draft -> draft.phase = Phase.Running);

    @Test
    void theFirstStatusIsWrittenAtOnce() {
        assertEquals(Duration.ZERO, StatusThrottle.STANDARD.wait(JobStatus.EMPTY, OLD, Instant.MIN, LAST));
    }

    @Test
    void aChangeWaitsForASecondToPass() {
        JobStatus next = OLD.but(draft -> draft.retriesUsed = 1);
        assertEquals(Duration.ofMillis(700), StatusThrottle.STANDARD.wait(OLD, next, LAST, LAST.plusMillis(300)));
        assertEquals(Duration.ZERO, StatusThrottle.STANDARD.wait(OLD, next, LAST, LAST.plusMillis(1000)));
    }

    @Test
    void mereProgressWaitsLonger() {
        JobStatus next = OLD.but(draft -> {
            draft.iterations = 7L;
            draft.certifiedResidual = "1.000e-03";
        });
        assertEquals(Duration.ofSeconds(4), StatusThrottle.STANDARD.wait(OLD, next, LAST, LAST.plusSeconds(1)));
    }
}
