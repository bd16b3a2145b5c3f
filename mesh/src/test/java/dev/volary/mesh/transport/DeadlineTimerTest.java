// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeadlineTimerTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final EventLoop loop = new EventLoop("timer-test");
    /** When it ranAt. */
    private final List<Long> ranAt = new CopyOnWriteArrayList<>();

    private final DeadlineTimer timer = loop.timer(() -> ranAt.add(System.nanoTime()));

    @AfterEach
    void close() {
        loop.close();
    }

    private void onLoop(Runnable task, Duration later) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        loop.schedule(
                () -> {
                    task.run();
                    done.countDown();
                },
                later.toNanos());
        assertTrue(done.await(20, TimeUnit.SECONDS), "the loop answers");
    }

    @Test
    void theTaskRunsOnceAtTheEarliestRequestedTime() throws InterruptedException {
        long now = System.nanoTime();
        onLoop(
                () -> {
                    timer.scheduleAt(now + 40 * MILLI);
                    timer.scheduleAt(now + 10 * MILLI);
                    timer.scheduleAt(now + 20 * MILLI);
                    timer.scheduleAt(Long.MAX_VALUE);
                },
                Duration.ZERO);
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(60));
        assertRan(1, now + 10 * MILLI);
    }

    @Test
    void theTimerCanBeScheduledAgainAfterItRan() throws InterruptedException {
        long now = System.nanoTime();
        onLoop(() -> timer.scheduleAt(now), Duration.ZERO); // what is past is due at once
        onLoop(() -> timer.scheduleAt(now + 20 * MILLI), Duration.ofMillis(5));
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(40));
        assertRan(2, now + 20 * MILLI);
    }

    @Test
    void aCanceledTimerDoesNotRun() throws InterruptedException {
        onLoop(() -> timer.scheduleAt(System.nanoTime() + 10 * MILLI), Duration.ZERO);
        onLoop(timer::cancel, Duration.ZERO);
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(30));
        assertEquals(List.of(), ranAt);
    }

    private static void nothing() {}

    private void assertRan(int times, long lastNotBefore) {
        assertEquals(times, ranAt.size());
        assertTrue(ranAt.getLast() >= lastNotBefore, "it runs too early");
    }
}
