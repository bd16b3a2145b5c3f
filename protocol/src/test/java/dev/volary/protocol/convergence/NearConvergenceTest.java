// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NearConvergenceTest {
    private static final double TOLERANCE = 1;

    private final NearConvergence near = new NearConvergence();

    @Test
    void aHintIsReportedWhenItComesWithinTheTolerance() {
        assertFalse(near.iterated(Double.POSITIVE_INFINITY, TOLERANCE));
        assertFalse(near.iterated(1.01, TOLERANCE));
        assertTrue(near.iterated(1, TOLERANCE));
        assertFalse(near.iterated(0.1, TOLERANCE));
    }

    @Test
    void aHintAroundTheToleranceIsReportedOnce() {
        assertTrue(near.iterated(1, TOLERANCE));
        assertFalse(near.iterated(10, TOLERANCE));
        assertFalse(near.iterated(1, TOLERANCE));
    }

    @Test
    void aHintThatWasFarAboveIsReportedAgain() {
        assertTrue(near.iterated(1, TOLERANCE));
        assertFalse(near.iterated(10.1, TOLERANCE));
        assertTrue(near.iterated(1, TOLERANCE));
    }

    @Test
    void eachStepReportsAnew() {
        assertTrue(near.iterated(1, TOLERANCE));
        near.beginStep();
        assertTrue(near.iterated(1, TOLERANCE));
    }
}
