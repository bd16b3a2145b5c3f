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

    private final EventLoop loop = new EventLoop("alarm-test");
    /** When it rang. */
    private final List<Long> rang = new CopyOnWriteArrayList<>();

    private final DeadlineTimer alarm = loop.alarm(() -> rang.add(System.nanoTime()));

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
                    alarm.at(now + 40 * MILLI);
                    alarm.at(now + 10 * MILLI);
                    alarm.at(now + 20 * MILLI);
                    alarm.at(Long.MAX_VALUE);
                },
                Duration.ZERO);
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(60));
        assertRang(1, now + 10 * MILLI);
    }

    @Test
    void theTimerCanBeScheduledAgainAfterItRan() throws InterruptedException {
        long now = System.nanoTime();
        onLoop(() -> alarm.at(now), Duration.ZERO); // what is past is due at once
        onLoop(() -> alarm.at(now + 20 * MILLI), Duration.ofMillis(5));
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(40));
        assertRang(2, now + 20 * MILLI);
    }

    @Test
    void aCanceledTimerDoesNotRun() throws InterruptedException {
        onLoop(() -> alarm.at(System.nanoTime() + 10 * MILLI), Duration.ZERO);
        onLoop(alarm::cancel, Duration.ZERO);
        onLoop(DeadlineTimerTest::nothing, Duration.ofMillis(30));
        assertEquals(List.of(), rang);
    }

    private static void nothing() {}

    private void assertRang(int times, long lastNotBefore) {
        assertEquals(times, rang.size());
        assertTrue(rang.getLast() >= lastNotBefore, "it rings too early");
    }
}
