// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SchedulingDelayTest {
    private static final long SECOND = 1_000_000_000L;

    private final SchedulingDelay delay = new SchedulingDelay(0);

    @Test
    void theLongestOfRecentDelaysCounts() {
        delay.record(3 * SECOND, SECOND);
        delay.record(SECOND, 2 * SECOND);
        assertEquals(3 * SECOND, delay.longest(3 * SECOND));
    }

    @Test
    void aDelayIsRememberedForFifteenToThirtySeconds() {
        delay.record(SECOND, 0);
        assertEquals(SECOND, delay.longest(15 * SECOND));
        assertEquals(0, delay.longest(31 * SECOND));
    }

    @Test
    void anOldDelayIsForgottenEvenIfThereWasNoCallInBetween() {
        delay.record(SECOND, 0);
        assertEquals(0, delay.longest(100 * SECOND));
    }

    @Test
    void aDelayThatIsToBeExpectedIsNeverForgotten() {
        SchedulingDelay expected = new SchedulingDelay(SECOND);
        expected.record(SECOND / 2, 0);
        assertEquals(SECOND, expected.longest(100 * SECOND));
    }
}
