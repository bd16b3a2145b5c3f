// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a place gets its next process. */
class RestartPolicyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RestartPolicy policy = new RestartPolicy();

    @Test
    void anEmptyPlaceGetsItsFirstProcessAtOnce() {
        assertTrue(policy.startAt() < 0, "before any time that a run knows");
    }

    @Test
    void theNextOneStartsASecondAfterTheEndOfTheLast() {
        policy.started();
        policy.ended(false, 10 * SECOND);
        assertEquals(11 * SECOND, policy.startAt());
    }

    @Test
    void threeThatNeverWereUpAreOneTooMany() {
        fails(2);
        assertFalse(policy.isHopeless());
        fails(1);
        assertTrue(policy.isHopeless());
    }

    @Test
    void aWorkerThatIsUpResetsTheCount() {
        fails(2);
        policy.started();
        policy.ready();
        policy.ended(false, 0);
        fails(2);
        assertFalse(policy.isHopeless());
    }

    @Test
    void aWorkerThatReportsWhyItCannotContinueHasFailedEvenIfItWasUp() {
        for (int i = 0; i < 3; i++) {
            policy.started();
            policy.ready();
            policy.ended(true, 0);
        }
        assertTrue(policy.isHopeless());
    }

    private void fails(int times) {
        for (int i = 0; i < times; i++) {
            policy.started();
            policy.ended(false, 0);
        }
    }
}
