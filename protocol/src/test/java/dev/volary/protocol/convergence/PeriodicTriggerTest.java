// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.SnapshotConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tolerance 1, so hints of at most 3 are small; the grid's period is at least 100 ms and 100 times the cost. */
class PeriodicTriggerTest {
    private static final SnapshotConfig CONFIG = SnapshotConfig.of(1);
    private static final long MILLIS = 1_000_000;
    private static final long PERIOD = CONFIG.minimumPeriod().toNanos();

    private final PeriodicTrigger trigger = new PeriodicTrigger(CONFIG);

    private void snapshot(double residual, long costNanos, long openedAt, long closedAt) {
        trigger.opened(openedAt);
        trigger.closed(residual, costNanos, closedAt);
    }

    @Test
    void nothingIsDueBeforeAllBlocksIterate() {
        trigger.setLargestHint(0);
        assertEquals(Long.MAX_VALUE, trigger.wakeUp());
        trigger.start(5, true);
        assertTrue(trigger.isDue(5), "the hints are small");
    }

    @Test
    void aSnapshotIsDueOnTheTimeGridWhateverTheHintsAre() {
        trigger.start(0, false);
        trigger.setLargestHint(1e9);
        assertFalse(trigger.isDue(PERIOD - 1));
        assertTrue(trigger.isDue(PERIOD));
    }

    @Test
    void pointsOfTheGridArePassedOverBeforeTheFirstSnapshotAsLongAsTheHintsFallFast() {
        trigger.start(0, false);
        trigger.tick(PERIOD);
        assertEquals(2 * PERIOD, trigger.wakeUp(), "no hint is known yet");
        trigger.setLargestHint(1000);
        trigger.tick(2 * PERIOD);
        assertEquals(4 * PERIOD, trigger.wakeUp());
        trigger.setLargestHint(501);
        trigger.tick(4 * PERIOD);
        assertTrue(trigger.isDue(4 * PERIOD), "it has not halved");
        snapshot(600, 0, 4 * PERIOD, 4 * PERIOD);
        trigger.setLargestHint(100);
        trigger.tick(5 * PERIOD);
        assertTrue(trigger.isDue(5 * PERIOD), "it is not the first snapshot");
    }

    @Test
    void noPointIsPassedOverWithHintsThatAreAlmostSmallOrStayUnknown() {
        trigger.start(0, false);
        trigger.setLargestHint(30);
        trigger.tick(PERIOD);
        assertTrue(trigger.isDue(PERIOD));
        PeriodicTrigger other = new PeriodicTrigger(CONFIG);
        other.start(0, false);
        other.tick(PERIOD);
        other.tick(2 * PERIOD);
        assertTrue(other.isDue(2 * PERIOD));
    }

    @Test
    void theGridOfAJobBeginsLateForAShortOneEndsByItsHints() {
        trigger.start(0, true);
        trigger.setLargestHint(1e9);
        assertEquals(PeriodicTrigger.FIRST_POINT.toNanos(), trigger.wakeUp());
    }

    @Test
    void anExpensivePointOfTheGridDelaysNoAttemptThatHintsCause() {
        trigger.start(0, false);
        trigger.setLargestHint(1e9);
        snapshot(100, 500 * MILLIS, PERIOD, 2 * PERIOD);
        assertEquals(2 * PERIOD + 50_000 * MILLIS, trigger.wakeUp(), "1 % of the CPU");
        trigger.setLargestHint(3);
        assertTrue(trigger.isDue(2 * PERIOD));
        snapshot(90, 500 * MILLIS, 2 * PERIOD, 3 * PERIOD);
        assertEquals(3 * PERIOD + 5_000 * MILLIS, trigger.wakeUp(), "the hint has misled");
    }

    @Test
    void smallHintsMakeASnapshotDueAtOnce() {
        trigger.start(0, false);
        trigger.setLargestHint(3.1);
        assertFalse(trigger.isDue(1));
        trigger.setLargestHint(3);
        assertTrue(trigger.isDue(1));
    }

    @Test
    void thePeriodFollowsFromTheMeasuredCost() {
        trigger.start(0, false);
        snapshot(100, 10 * MILLIS, 0, 0);
        assertEquals(1000 * MILLIS, trigger.wakeUp(), "1 % of the CPU");
    }

    @Test
    void thePauseDoublesWithEachAttemptThatDidNotHalveTheResidualUpToThePeriod() {
        trigger.start(0, false);
        trigger.setLargestHint(0);
        snapshot(100, 0, 0, 0);
        List<Long> expected = List.of(20 * MILLIS, 40 * MILLIS, 80 * MILLIS, PERIOD, PERIOD);
        for (long pause : expected) {
            snapshot(99, 0, 0, 0);
            assertEquals(pause, trigger.wakeUp());
        }
        snapshot(10, 0, 0, 0);
        assertEquals(PERIOD / 2, trigger.wakeUp(), "the residual has halved");
    }

    @Test
    void theTrendOfTheResidualPredictsTheNextSnapshot() {
        trigger.start(0, false);
        snapshot(1000, 0, 0, 0);
        snapshot(100, 0, 50 * MILLIS, 50 * MILLIS);
        assertEquals(150 * MILLIS, trigger.wakeUp(), "two more factors of 10 take 102 ms, so the grid is earlier");
        snapshot(10, 0, 100 * MILLIS, 100 * MILLIS);
        assertEquals(151 * MILLIS, trigger.wakeUp(), "one more factor of 10 takes 50 ms and a margin of 2 %");
    }
}
