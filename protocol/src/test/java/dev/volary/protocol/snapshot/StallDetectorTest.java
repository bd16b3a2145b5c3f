// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The third snapshot in a row with small hints and no progress is a stall. */
class StallDetectorTest {
    private final StallDetector watch = new StallDetector();

    @Test
    void aStallIsReportedOnceAtItsThirdSnapshot() {
        assertEquals(1, reports(true, 1, 1, 1, 1));
        assertEquals(0, reports(true, 1, 1, 1, 1, 1));
    }

    @Test
    void aResidualThatFallsIsNoStall() {
        assertEquals(0, reports(true, 1, 0.8, 0.6, 0.5, 0.4, 0.3));
    }

    @Test
    void largeHintsAreNoStall() {
        assertEquals(0, reports(false, 1, 1, 1, 1, 1));
    }

    @Test
    void anUnsteadyDecreaseIsReportedOnce() {
        // Three levels of four snapshots each within one decade: rests between paced halos.
        assertEquals(1, reports(true, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2));
    }

    @Test
    void aStallAfterTheResidualHasFallenIsReportedAgain() {
        assertEquals(1, reports(true, 1, 1, 1, 1));
        assertEquals(1, reports(true, 0.05, 0.05, 0.05, 0.05, 0.05));
    }

    private long reports(boolean hintsSmall, double... residuals) {
        return DoubleStream.of(residuals)
                .filter(residual -> watch.closed(hintsSmall, residual))
                .count();
    }
}
