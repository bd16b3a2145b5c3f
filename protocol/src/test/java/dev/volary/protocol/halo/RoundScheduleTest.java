// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.halo.RoundSchedule.Turn;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundScheduleTest {
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
    private static final double TOLERANCE = 1e-6;
    private static final double LARGE = 1;

    private long now = 5;

    private static RoundSchedule schedule(int step, int healing, boolean isEmpty) {
        return new RoundSchedule(1, step, 0, TOLERANCE, healing, isEmpty, 0);
    }

    /** A block that has just committed the step before. */
    private static RoundSchedule begun(int step) {
        RoundSchedule schedule = schedule(step, 0, false);
        schedule.stepBegun(step, 0);
        return schedule;
    }

    /** All halos of the first round of a step are there. */
    private static RoundSchedule readyFor(int step) {
        RoundSchedule schedule = begun(step);
        arrives(schedule, step, 0);
        return schedule;
    }

    private static void arrives(RoundSchedule schedule, int step, long round) {
        schedule.slots().offer(0, step, round);
        schedule.slots().useAwaited(0);
    }

    /** Blocks open one after the other: the last would find halos of round 1 beside some of round 0. */
    @Test
    void theFirstIterationReadsNoHalo() {
        RoundSchedule schedule = schedule(0, 0, false);
        assertTrue(schedule.slots().offer(0, 0, 1));
        assertFalse(schedule.slots().useAwaited(0));
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        assertTrue(schedule.isComplete());
        schedule.iterated(true, 1, now);
        assertTrue(schedule.slots().useAwaited(0));
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        schedule.iterated(true, 2, now);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
    }

    @Test
    void aRoundBeginsWhenItsHaloHasCome() {
        RoundSchedule schedule = begun(0);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
        arrives(schedule, 0, 0);
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        schedule.iterated(true, 1, now);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
    }

    @Test
    void aHaloOfTheNextRoundWaitsBesideTheOneInUse() {
        RoundSchedule schedule = readyFor(0);
        assertTrue(schedule.slots().offer(0, 0, 1));
        assertFalse(schedule.slots().useAwaited(0), "the halo of this round is in use");
        schedule.iterated(true, 1, now);
        assertTrue(schedule.slots().useAwaited(0));
    }

    @Test
    void aBlockThatAHaloLetsRestHasNewsForTheLeaderOnce() {
        RoundSchedule schedule = readyFor(0);
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        schedule.iterated(true, 1, now);
        assertEquals(
                Turn.WAIT, schedule.next(LARGE, now), "its own residual is small, that of its neighbor is not known");
        assertFalse(schedule.hasSettled());
        arrives(schedule, 0, 1);
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
        assertTrue(schedule.hasSettled());
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
        assertFalse(schedule.hasSettled(), "it is known");
        schedule.notCertified();
        assertEquals(Turn.ITERATE, schedule.next(TOLERANCE, now));
        schedule.iterated(true, 2, now);
        assertEquals(Turn.REST, schedule.next(TOLERANCE / 10, now));
        assertTrue(schedule.hasSettled(), "again");
    }

    @Test
    void aRestoredBlockHealsBeforeItJoins() {
        RoundSchedule schedule = schedule(0, 2, true);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now), "no halo has come");
        arrives(schedule, 0, 7);
        assertEquals(Turn.HEAL, schedule.next(LARGE, now));
        assertTrue(schedule.takeStateFromOthers());
        assertFalse(schedule.takeStateFromOthers(), "once");
        assertFalse(schedule.healed());
        assertTrue(schedule.isHealing());
        assertTrue(schedule.healed());
        assertEquals(7, schedule.join(0, now));
        assertFalse(schedule.isHealing());
    }

    @Test
    void aBlockThatContinuesFromALateCopyPublishesUnderANewNumber() {
        RoundSchedule schedule = readyFor(0);
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        schedule.iterated(true, 1, now);
        schedule.heal(1);
        assertTrue(schedule.healed());
        assertEquals(2, schedule.join(1, now), "round 1 is published already");
        arrives(schedule, 0, 9);
        assertEquals(9, schedule.join(2, now));
    }

    @Test
    void aRestoredBlockWithoutHalosHealsAfterASecond() {
        RoundSchedule schedule = schedule(0, 2, false);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
        now += 1000 * MILLISECOND;
        assertEquals(Turn.HEAL, schedule.next(LARGE, now));
    }

    @Test
    void aBlockThatIsTwoRoundsBehindJoinsTheOthers() {
        RoundSchedule schedule = begun(0);
        arrives(schedule, 0, 2);
        assertEquals(Turn.JOIN, schedule.next(LARGE, now));
        assertEquals(2, schedule.join(0, now));
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
    }

    /** It was late, and the others went on without it. */
    @Test
    void aBlockThatJoinsBeforeItsFirstIterationReadsHalosInIt() {
        RoundSchedule schedule = schedule(0, 0, false);
        schedule.slots().offer(0, 0, 2);
        assertEquals(Turn.JOIN, schedule.next(LARGE, now));
        assertEquals(2, schedule.join(0, now));
        assertTrue(schedule.slots().useAwaited(0));
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
    }

    @Test
    void blocksRestAtTheToleranceForFiveSecondsAtMost() {
        RoundSchedule schedule = readyFor(0);
        assertEquals(Turn.ITERATE, schedule.next(1.01 * TOLERANCE, now));
        assertFalse(schedule.isAtRest(1.01 * TOLERANCE));
        assertTrue(schedule.isAtRest(TOLERANCE));
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
        now += 4999 * MILLISECOND;
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
        now += MILLISECOND;
        assertEquals(Turn.ITERATE, schedule.next(TOLERANCE, now));
    }

    @Test
    void blocksWhoseVectorWasNotCertifiedGoOnUntilTheResidualIsMuchSmaller() {
        RoundSchedule schedule = readyFor(0);
        assertEquals(Turn.REST, schedule.next(0.1 * TOLERANCE, now));
        schedule.notCertified();
        assertEquals(Turn.ITERATE, schedule.next(0.1 * TOLERANCE, now), "one round at least");
        schedule.iterated(true, 1, now);
        arrives(schedule, 0, 1);
        assertEquals(Turn.ITERATE, schedule.next(0.21 * TOLERANCE, now));
        assertEquals(Turn.REST, schedule.next(0.2 * TOLERANCE, now));
    }

    @Test
    void aSnapshotBeforeTheRestChangesNothing() {
        RoundSchedule schedule = readyFor(0);
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
        schedule.notCertified();
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
    }

    @Test
    void aNewStepBeginsWithTheToleranceAgain() {
        RoundSchedule schedule = readyFor(1);
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
        schedule.notCertified();
        schedule.stepBegun(2, now);
        arrives(schedule, 2, 0);
        assertEquals(Turn.REST, schedule.next(TOLERANCE, now));
    }

    @Test
    void aHaloOfTheNextStepWaitsForTheCommit() {
        RoundSchedule schedule = begun(1);
        arrives(schedule, 2, 0);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
        assertFalse(schedule.slots().offer(0, 1, 3), "a later step is known");
        schedule.stepBegun(2, now);
        schedule.slots().useAwaited(0);
        assertEquals(Turn.ITERATE, schedule.next(LARGE, now));
    }

    @Test
    void whatMayBeLostIsPublishedAgainEverMoreSeldom() {
        RoundSchedule schedule = begun(0);
        assertEquals(Turn.WAIT, schedule.next(LARGE, now));
        assertFalse(schedule.isRepeatDue(now + 19 * MILLISECOND));
        assertTrue(schedule.isRepeatDue(now + 20 * MILLISECOND));
        assertFalse(schedule.isRepeatDue(now + 59 * MILLISECOND));
        assertTrue(schedule.isRepeatDue(now + 60 * MILLISECOND));
    }
}
