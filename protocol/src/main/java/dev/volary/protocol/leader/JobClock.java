// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import java.time.Duration;

/**
 * Says when the deadline of the job has come. It counts from the first leader: the log says now and then how much time is used, and
 * the next leader goes on from there. Time without a leader counts only if whoever runs the job reports its active time.
 */
final class JobClock {
    private static final Duration LONGEST_PERIOD = Duration.ofSeconds(5);
    /** A short deadline is divided into this many periods. */
    private static final int PERIODS = 20;

    private final ReplicatedLog log;
    private final Duration deadline;
    private final long period;
    private long startedAt;
    private long logAt;

    /** @param log which this leader has read */
    JobClock(Duration deadline, ReplicatedLog log, long now) {
        this.log = log;
        this.startedAt = now
                - log.newest(LogEntry.TimeUsed.class)
                        .map(LogEntry.TimeUsed::nanos)
                        .orElse(0L);
        this.deadline = deadline;
        this.period = Math.min(LONGEST_PERIOD.toNanos(), deadline.toNanos() / PERIODS);
        this.logAt = now + period;
    }

    /** The job has been active for this time or longer. */
    void activeFor(Duration time, long now) {
        startedAt = Math.min(startedAt, now - time.toNanos());
    }

    /** Whether the deadline has come; until then logs the time when it is due. */
    boolean isOver(SpawnerTurn turn) {
        long deadlineAt = startedAt + deadline.toNanos();
        if (turn.now() >= deadlineAt) {
            return true;
        }
        if (turn.now() >= logAt) {
            logAt = turn.now() + period;
            log.append(new LogEntry.TimeUsed(turn.now() - startedAt));
        }
        turn.wakeAt(Math.min(logAt, deadlineAt));
        return false;
    }
}
