// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HaloWaitTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    @Test
    void aBlockIteratesUntilItsHalosHavePassedThroughIt() {
        HaloWait wait = new HaloWait(3);
        wait.refreshed(1);
        for (int iteration = 0; iteration < 3; iteration++) {
            assertFalse(wait.isWaiting(1));
            assertEquals(iteration == 2, wait.isLast());
            wait.iterated(1);
        }
        assertTrue(wait.isWaiting(2));
    }

    @Test
    void newerHalosEndTheWait() {
        HaloWait wait = waiting(0);
        wait.refreshed(2 * MILLI);
        assertFalse(wait.isWaiting(2 * MILLI));
    }

    @Test
    void theFirstWaitLastsFiftyMilliseconds() {
        HaloWait wait = waiting(MILLI);
        assertTrue(wait.isWaiting(50 * MILLI));
        assertFalse(wait.isWaiting(51 * MILLI));
    }

    @Test
    void aWaitLastsAsLongAsFourUsualIntervals() {
        HaloWait wait = afterTenHalosEvery(2 * MILLI);
        assertTrue(wait.isWaiting(28 * MILLI - 1));
        assertFalse(wait.isWaiting(28 * MILLI));
    }

    @Test
    void nobodyWaitsLongerThanAFifthOfASecond() {
        HaloWait wait = afterTenHalosEvery(1_000 * MILLI);
        assertTrue(wait.isWaiting(10_199 * MILLI));
        assertFalse(wait.isWaiting(10_200 * MILLI));
    }

    @Test
    void afterAWaitInVainThereIsNoOtherUntilAHaloArrives() {
        HaloWait wait = waiting(MILLI);
        assertFalse(wait.isWaiting(60 * MILLI));
        for (int iteration = 0; iteration < 5; iteration++) {
            assertFalse(wait.isLast());
            wait.iterated(60 * MILLI);
            assertFalse(wait.isWaiting(60 * MILLI));
        }
        wait.refreshed(61 * MILLI);
        wait.iterated(61 * MILLI);
        assertTrue(wait.isWaiting(62 * MILLI));
    }

    @Test
    void depthIsCoreByHalosAndReach() {
        assertEquals(8, HaloWait.depth(1_008, 126, 1));
        assertEquals(1, HaloWait.depth(1_008, 126, 8));
        assertEquals(1, HaloWait.depth(100, 90, 1));
        assertEquals(1, HaloWait.depth(1_008, 126, Double.POSITIVE_INFINITY));
        assertEquals(Long.MAX_VALUE, HaloWait.depth(100, 0, 1));
    }

    private static HaloWait afterTenHalosEvery(long nanos) {
        HaloWait wait = new HaloWait(1);
        for (long halo = 1; halo <= 10; halo++) {
            wait.refreshed(halo * nanos);
            wait.iterated(halo * nanos);
        }
        return wait;
    }

    private static HaloWait waiting(long now) {
        HaloWait wait = new HaloWait(1);
        wait.refreshed(now);
        wait.iterated(now);
        return wait;
    }
}
