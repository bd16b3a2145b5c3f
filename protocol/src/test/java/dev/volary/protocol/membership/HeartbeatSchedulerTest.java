// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeartbeatSchedulerTest {
    private static final FailureDetectorConfig CONFIG = FailureDetectorConfig.standard();
    private static final long INTERVAL = CONFIG.heartbeat().toNanos();
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private final HeartbeatScheduler heartbeats = new HeartbeatScheduler(CONFIG, new SplittableRandom(7));

    private List<WorkerId> due(long now) {
        return heartbeats.due(now).stream().map(HeartbeatScheduler.Due::to).toList();
    }

    /** The times of all heartbeats to a member until then. */
    private List<Long> heartbeatTimes(WorkerId to, long until) {
        List<Long> times = new ArrayList<>();
        for (long now = heartbeats.wakeUp(); now < until; now = heartbeats.wakeUp()) {
            if (due(now).contains(to)) {
                times.add(now);
            }
        }
        return times;
    }

    @Test
    void aNewWatcherGetsAHeartbeatAtOnceAndThenOnePerInterval() {
        heartbeats.add(List.of(ONE), INTERVAL, true, 0);
        assertEquals(List.of(new HeartbeatScheduler.Due(ONE, INTERVAL)), heartbeats.due(0));
        assertEquals(List.of(), due(0));
        List<Long> times = heartbeatTimes(ONE, 4 * INTERVAL);
        assertTrue(times.getFirst() <= INTERVAL);
        for (int i = 1; i < times.size(); i++) {
            assertEquals(INTERVAL, times.get(i) - times.get(i - 1));
        }
    }

    @Test
    void theHeartbeatsToSeveralWatchersAreSpreadOverTheInterval() {
        heartbeats.add(List.of(ONE, TWO), INTERVAL, true, 0);
        assertEquals(List.of(ONE, TWO), due(0));
        long first = heartbeats.wakeUp();
        assertEquals(1, due(first).size());
        assertEquals(INTERVAL / 2, heartbeats.wakeUp() - first);
    }

    @Test
    void aRareHeartbeatComesWithinItsInterval() {
        heartbeats.add(List.of(ONE, TWO), CONFIG.insurance().toNanos(), false, 0);
        assertEquals(List.of(), due(0));
        assertEquals(1, heartbeatTimes(ONE, CONFIG.insurance().toNanos()).size());
    }

    @Test
    void otherTrafficReplacesAHeartbeat() {
        heartbeats.add(List.of(ONE), INTERVAL, true, 0);
        heartbeats.due(0);
        long next = heartbeats.wakeUp();
        heartbeats.postpone(ONE, next - 1);
        assertEquals(next - 1 + INTERVAL, heartbeats.wakeUp());
    }

    @Test
    void otherTrafficDoesNotReplaceAllHeartbeats() {
        heartbeats.add(List.of(ONE), INTERVAL, true, 0);
        heartbeats.due(0);
        for (long now = 0; now < CONFIG.stuck().toNanos(); now += INTERVAL / 2) {
            heartbeats.postpone(ONE, now);
        }
        assertEquals(CONFIG.stuck().toNanos() / 4, heartbeats.wakeUp());
    }

    @Test
    void aMemberThatLeftGetsNoHeartbeat() {
        heartbeats.add(List.of(ONE, TWO), INTERVAL, true, 0);
        heartbeats.retain(Set.of(TWO));
        assertEquals(List.of(TWO), due(0));
        heartbeats.postpone(ONE, 0); // a late acknowledgement
        assertEquals(1, heartbeats.entries());
    }

    @Test
    void aListThatNamesAWatcherAgainCausesNoExtraHeartbeat() {
        heartbeats.add(List.of(ONE), INTERVAL, true, 0);
        heartbeats.due(0);
        heartbeats.add(List.of(ONE), INTERVAL, true, 1);
        assertEquals(List.of(), due(1));
    }

    @Test
    void allHeartbeatsCanBeMadeDueAtOnce() {
        heartbeats.add(List.of(ONE, TWO), INTERVAL, true, 0);
        heartbeats.due(0);
        heartbeats.makeAllDue(1);
        assertEquals(List.of(ONE, TWO), due(1));
    }
}
