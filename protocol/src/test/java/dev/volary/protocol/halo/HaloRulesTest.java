// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HaloRulesTest {

    private static Incarnation incarnation(long n, long owner, int counter) {
        return new Incarnation(new GroupTerm(n, new WorkerId(owner)), counter);
    }

    @Test
    void aHaloOfARestoredBlockWithASmallerIterationIsTaken() {
        HaloOrder order = new HaloOrder();
        assertEquals(HaloOrder.Verdict.NEWER, order.offer(1, 5, 1, 0, 1000));
        assertEquals(HaloOrder.Verdict.NEWER, order.offer(1, 5, 2, 0, 3));
        assertEquals(HaloOrder.Verdict.FENCED, order.offer(1, 5, 1, 0, 1001));
    }

    @Test
    void theDirectoryFencesBeforeTheFirstHaloOfTheNewIncarnation() {
        HaloOrder order = new HaloOrder();
        order.offer(1, 5, 1, 0, 10);
        order.raise(incarnation(2, 4, 1));
        assertEquals(HaloOrder.Verdict.FENCED, order.offer(1, 5, 1, 0, 11));
        assertEquals(HaloOrder.Verdict.NEWER, order.offer(2, 4, 1, 0, 0));
        order.raise(incarnation(1, 9, 9));
        assertEquals(HaloOrder.Verdict.OLD, order.offer(2, 4, 1, 0, 0));
    }

    @Test
    void primitiveOrderIsTheOrderOfKeys() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            HaloOrder order = new HaloOrder();
            Optional<BlockVersion> newest = Optional.empty();
            for (int i = 0; i < 30; i++) {
                BlockVersion key = new BlockVersion(
                        incarnation(1 + random.nextInt(2), 1 + random.nextInt(2), random.nextInt(2)),
                        random.nextInt(2),
                        random.nextInt(3));
                HaloOrder.Verdict expected = newest.isEmpty() || key.compareTo(newest.get()) > 0
                        ? HaloOrder.Verdict.NEWER
                        : key.incarnation().compareTo(newest.get().incarnation()) < 0
                                ? HaloOrder.Verdict.FENCED
                                : HaloOrder.Verdict.OLD;
                assertEquals(expected, order.offer(key));
                newest = expected == HaloOrder.Verdict.NEWER ? Optional.of(key) : newest;
            }
        }
    }

    @Test
    void anIterationReadsExactlyItsOwnHalos() {
        LockStepHalos step = new LockStepHalos(2, Duration.ofNanos(10), 0);
        assertEquals(LockStepHalos.Verdict.TAKE, step.offer(0, 0));
        assertEquals(LockStepHalos.Verdict.TAKE, step.offer(0, 1));
        assertFalse(step.isReady());
        assertEquals(LockStepHalos.Verdict.TAKE, step.offer(1, 0));
        assertTrue(step.isReady());
        step.advance(1);
        assertFalse(step.isReady());
        assertEquals(LockStepHalos.Verdict.OLD, step.offer(0, 1));
        assertEquals(LockStepHalos.Verdict.OLD, step.offer(1, 0));
        assertEquals(LockStepHalos.Verdict.EARLY, step.offer(1, 3));
        assertEquals(LockStepHalos.Verdict.TAKE, step.offer(1, 1));
        assertTrue(step.isReady());
    }

    @Test
    void aMissingHaloIsAskedForOnceInARetryPeriod() {
        LockStepHalos step = new LockStepHalos(3, Duration.ofNanos(10), 0);
        step.offer(1, 0);
        assertArrayEquals(new int[0], step.overdue(9));
        assertArrayEquals(new int[] {0, 2}, step.overdue(10));
        assertArrayEquals(new int[0], step.overdue(19));
        assertEquals(20, step.wakeUp());
    }

    @Test
    void noIterationEndsWithoutItsHalos() {
        LockStepHalos step = new LockStepHalos(1, Duration.ofNanos(10), 0);
        assertThrows(IllegalStateException.class, () -> step.advance(1));
    }
}
