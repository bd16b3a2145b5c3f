// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ConvergenceTestScheduleTest {

    @Test
    void theTestsAreTheSameFromWhereverABlockGoesOn() {
        long test = ConvergenceTestSchedule.next(0);
        while (test < 100_000) {
            long next = ConvergenceTestSchedule.next(test + 1);
            for (long from = test + 1; from < next; from += 1 + (next - test) / 7) {
                assertEquals(next, ConvergenceTestSchedule.next(from), "from " + from);
            }
            assertTrue(next - test <= Math.max(24, test / 32), test + " to " + next);
            assertEquals(12, next % 24, "a test where a checkpoint may be taken: " + next);
            test = next;
        }
    }
}
