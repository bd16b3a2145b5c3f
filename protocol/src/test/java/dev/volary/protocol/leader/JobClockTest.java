// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobClockTest {
    private static final WorkerId LEADER = new WorkerId(1);
    private static final long SECOND = 1_000_000_000;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static ReplicatedLog log(LogEntry... inherited) {
        return new ReplicatedLog(
                LEADER,
                Duration.ofMillis(200),
                new LeaderElectionRecord(Optional.of(LEADER), 1, List.of(LEADER)),
                List.of(inherited));
    }

    private static boolean isOver(JobClock clock, long at) {
        return clock.isOver(new SpawnerTurn(at));
    }

    @Test
    void theDeadlineCountsFromTheFirstLeader() {
        JobClock clock = new JobClock(DEADLINE, log(), 7 * SECOND);
        assertFalse(isOver(clock, 67 * SECOND - 1));
        assertTrue(isOver(clock, 67 * SECOND));
    }

    @Test
    void theLogSaysNowAndThenHowMuchTimeIsUsed() {
        ReplicatedLog log = log();
        JobClock clock = new JobClock(DEADLINE, log, 0);
        assertFalse(isOver(clock, 3 * SECOND - 1));
        assertEquals(Optional.empty(), log.newest(LogEntry.TimeUsed.class));
        assertFalse(isOver(clock, 3 * SECOND));
        assertEquals(Optional.of(new LogEntry.TimeUsed(3 * SECOND)), log.newest(LogEntry.TimeUsed.class));
    }

    @Test
    void timeBeforeTheFirstLeaderCountsIfItIsKnown() {
        JobClock clock = new JobClock(DEADLINE, log(), 7 * SECOND);
        clock.activeFor(Duration.ofSeconds(40), 17 * SECOND);
        assertFalse(isOver(clock, 37 * SECOND - 1));
        assertTrue(isOver(clock, 37 * SECOND));
        clock.activeFor(Duration.ofSeconds(10), 37 * SECOND);
        assertTrue(isOver(clock, 37 * SECOND), "a smaller count changes nothing");
    }

    @Test
    void theNextLeaderGoesOnFromTheTimeThatTheLogNames() {
        ReplicatedLog log = log(new LogEntry.TimeUsed(50 * SECOND));
        JobClock clock = new JobClock(DEADLINE, log, 0);
        assertFalse(isOver(clock, 10 * SECOND - 1));
        assertTrue(isOver(clock, 10 * SECOND));
    }
}
