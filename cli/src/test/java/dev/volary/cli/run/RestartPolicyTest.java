// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a place gets its next process. */
class RestartPolicyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RestartPolicy rule = new RestartPolicy();

    @Test
    void anEmptyPlaceGetsItsFirstProcessAtOnce() {
        assertTrue(rule.startAt() < 0, "before any time that a run knows");
    }

    @Test
    void theNextOneStartsASecondAfterTheEndOfTheLast() {
        rule.started();
        rule.ended(false, 10 * SECOND);
        assertEquals(11 * SECOND, rule.startAt());
    }

    @Test
    void threeThatNeverWereUpAreOneTooMany() {
        fails(2);
        assertFalse(rule.isHopeless());
        fails(1);
        assertTrue(rule.isHopeless());
    }

    @Test
    void onceUpTheCountBeginsAnew() {
        fails(2);
        rule.started();
        rule.up();
        rule.ended(false, 0);
        fails(2);
        assertFalse(rule.isHopeless());
    }

    @Test
    void oneThatSaysWhyItCannotGoOnHasFailedEvenIfItWasUp() {
        for (int i = 0; i < 3; i++) {
            rule.started();
            rule.up();
            rule.ended(true, 0);
        }
        assertTrue(rule.isHopeless());
    }

    private void fails(int times) {
        for (int i = 0; i < times; i++) {
            rule.started();
            rule.ended(false, 0);
        }
    }
}
