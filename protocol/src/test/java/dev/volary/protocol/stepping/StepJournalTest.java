// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The leader's log has two members. */
class StepJournalTest {
    private static final WorkerId LEADER = new WorkerId(1);
    private static final WorkerId MEMBER = new WorkerId(2);

    private final RecoveredSteps recovered = new RecoveredSteps();
    private final ReplicatedLog log = new ReplicatedLog(
            LEADER,
            Duration.ofMillis(200),
            new LeaderElectionRecord(Optional.of(LEADER), 1, List.of(LEADER, MEMBER)),
            List.of());
    private final StepJournal journal = new StepJournal(log, recovered);

    private static CommittedStep step(int step) {
        return new CommittedStep(step, 10 + step, 0.5, List.of());
    }

    @Test
    void aStepCountsOnceAllMembersOfTheLogHaveIt() {
        journal.write(step(1), new SpawnerTurn(0));
        log.written(LEADER, new LogMessage.AppendAck(1, 1));
        assertFalse(journal.counts(step(1)));
        log.written(MEMBER, new LogMessage.AppendAck(1, 1));
        assertTrue(journal.counts(step(1)));
    }

    @Test
    void aRepeatedWriteIsNoNewRecord() {
        journal.write(step(1), new SpawnerTurn(0));
        log.written(LEADER, new LogMessage.AppendAck(1, 1));
        log.written(MEMBER, new LogMessage.AppendAck(1, 1));
        journal.write(step(1), new SpawnerTurn(0));
        assertTrue(journal.counts(step(1)));
    }

    @Test
    void theNewerOfLogAndDaemonsCounts() {
        assertEquals(Optional.empty(), journal.newest());
        journal.write(step(2), new SpawnerTurn(0));
        recovered.known(new StepMessage.KnownSteps(Optional.of(step(1)), Optional.empty()));
        assertEquals(Optional.of(step(2)), journal.newest());
        recovered.known(new StepMessage.KnownSteps(Optional.of(step(3)), Optional.empty()));
        assertEquals(Optional.of(step(3)), journal.newest(), "the log was lost, the daemons know more");
    }
}
