// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TimeSteppingTest {

    @Test
    void timeStartsAtZero() {
        TimeStepping time = new TimeStepping(4, 0.25);
        assertEquals(0, time.time(0));
        assertEquals(1, time.time(4));
    }

    @Test
    void noStepsAndNoLengthAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TimeStepping(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimeStepping(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new TimeStepping(1, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> new TimeStepping(1, Double.POSITIVE_INFINITY));
    }
}
