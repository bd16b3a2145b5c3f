// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundGateTest {
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

    private long now = 5;
    private long completed;
    private final RoundGate gate = new RoundGate(2, 0, false, now);

    private void completeRounds(int count) {
        completeRounds(count, MILLISECOND);
    }

    private void completeRounds(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            gate.use(0, completed);
            gate.use(1, completed);
            now += nanos;
            completed++;
            gate.iterated(true, completed, now);
        }
    }

    @Test
    void aRoundNeedsAHaloOfItFromEverySource() {
        assertFalse(gate.isOpen(now));
        gate.use(0, 0);
        assertFalse(gate.isOpen(now));
        assertFalse(gate.isAwaited(0));
        assertTrue(gate.isAwaited(1));
        gate.use(1, 0);
        assertTrue(gate.isOpen(now));
        gate.iterated(true, 1, now);
        assertFalse(gate.isOpen(now), "both halos are of the round before");
    }

    @Test
    void aBlockWithoutSourcesNeverWaits() {
        RoundGate alone = new RoundGate(0, 0, false, now);
        assertTrue(alone.isOpen(now));
        alone.iterated(true, 1, now);
        assertTrue(alone.isOpen(now));
    }

    @Test
    void aHaloOfTheNextRoundServesTheCurrentOneToo() {
        gate.use(0, 1);
        gate.use(1, 0);
        assertTrue(gate.isOpen(now));
    }

    /** Another block is two rounds ahead, so it went on without this one. */
    @Test
    void aBlockThatMissedRoundsJoinsTheOthers() {
        completeRounds(4);
        gate.seen(5);
        assertFalse(gate.isBehind(), "a source may be one round ahead");
        gate.seen(9);
        assertTrue(gate.isBehind());
        gate.join(9, now);
        assertFalse(gate.isBehind());
        assertTrue(gate.isAwaited(0) && gate.isAwaited(1));
        gate.use(0, 9);
        gate.use(1, 9);
        assertTrue(gate.isOpen(now));
    }

    /** Both were restored and know the number of a third block only. */
    @Test
    void blocksThatMissedRoundsTogetherDoNotWaitForEachOther() {
        RoundGate other = new RoundGate(2, 3, false, now);
        gate.use(0, 8);
        other.use(0, 8);
        assertTrue(gate.isBehind() && other.isBehind());
        gate.join(8, now);
        other.join(8, now);
        gate.use(1, 8);
        other.use(1, 8);
        assertTrue(gate.isComplete() && other.isComplete());
    }

    @Test
    void aBlockThatLeadsWaits() {
        RoundGate restored = new RoundGate(1, 30, false, now);
        restored.use(0, 12);
        assertFalse(restored.isOpen(now));
        assertFalse(restored.isBehind());
    }

    @Test
    void theFirstRoundsMayTakeFiveSeconds() {
        gate.use(0, 0);
        assertFalse(gate.isOpen(now + Duration.ofMillis(4_999).toNanos()));
        assertTrue(gate.isOpen(now + Duration.ofSeconds(5).toNanos()));
        completeRounds(2, MILLISECOND);
        assertEquals(Duration.ofSeconds(5).toNanos(), gate.patienceNanos());
    }

    @Test
    void patienceIsTwentyRoundsButNeverBelow300Milliseconds() {
        completeRounds(3, MILLISECOND);
        assertEquals(300 * MILLISECOND, gate.patienceNanos());
        completeRounds(9, 40 * MILLISECOND);
        assertEquals(800 * MILLISECOND, gate.patienceNanos());
        assertEquals(40 * MILLISECOND, gate.roundNanos());
        assertFalse(gate.isOverdue(now + 799 * MILLISECOND));
        assertTrue(gate.isOverdue(now + 800 * MILLISECOND));
    }

    /** Otherwise each round without the source would lengthen the next wait twentyfold. */
    @Test
    void roundsWithoutASourceDoNotLengthenThePatience() {
        completeRounds(9, 40 * MILLISECOND);
        for (int i = 0; i < 20; i++) {
            now += gate.patienceNanos();
            assertTrue(gate.isOpen(now));
            completed++;
            gate.iterated(false, completed, now);
        }
        assertEquals(800 * MILLISECOND, gate.patienceNanos());
    }

    @Test
    void oneLongRoundDoesNotCount() {
        completeRounds(8, 20 * MILLISECOND);
        completeRounds(1, 60_000 * MILLISECOND);
        assertEquals(400 * MILLISECOND, gate.patienceNanos());
    }

    @Test
    void theWaitBeginsAgainAfterARest() {
        completeRounds(9, MILLISECOND);
        now += 10_000 * MILLISECOND;
        gate.rested(now);
        assertFalse(gate.isOverdue(now + 299 * MILLISECOND));
        assertTrue(gate.isOverdue(now + 300 * MILLISECOND));
    }

    @Test
    void itKnowsWhetherEverySourceHasSpoken() {
        assertFalse(gate.hasAll());
        assertEquals(-1, gate.newest());
        gate.use(1, 0);
        assertFalse(gate.hasAll());
        gate.use(0, 7);
        assertTrue(gate.hasAll());
        assertEquals(7, gate.newest());
    }

    @Test
    void aTimeStepCountsRoundsFromZeroAndKeepsThePatience() {
        completeRounds(9, 40 * MILLISECOND);
        now += 1_000 * MILLISECOND;
        gate.restart(now);
        assertEquals(-1, gate.newest());
        assertFalse(gate.hasAll());
        assertFalse(gate.isBehind());
        assertTrue(gate.isAwaited(0));
        assertEquals(800 * MILLISECOND, gate.patienceNanos());
        assertFalse(gate.isOpen(now + 799 * MILLISECOND));
        gate.use(0, 0);
        gate.use(1, 0);
        assertTrue(gate.isOpen(now));
    }
}
