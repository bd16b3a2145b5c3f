// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The leader's log has two members; a record counts once the second member has acknowledged it. */
class DecisionLogTest {
    private static final WorkerId LEADER = new WorkerId(1);
    private static final WorkerId MEMBER = new WorkerId(2);
    private static final SpawnerAction VERDICT = new SpawnerAction.AssembleResult(5, 0.5, true, 0, 0, List.of());
    private static final SpawnerAction CERTIFIED = new SpawnerAction.Finish(new JobOutcome.Certified(5, 0.5));
    private static final SpawnerAction FAILED = new SpawnerAction.Finish(new JobOutcome.Failed("no memory"));

    private final ReplicatedLog log = newLog(List.of());
    private final DecisionLog decisions = new DecisionLog(log);

    private static ReplicatedLog newLog(List<LogEntry> inherited) {
        return new ReplicatedLog(
                LEADER,
                Duration.ofMillis(200),
                new LeaderElectionRecord(Optional.of(LEADER), 1, List.of(LEADER, MEMBER)),
                inherited);
    }

    private List<SpawnerAction> take(SpawnerAction... decided) {
        SpawnerTurn child = new SpawnerTurn(0);
        List.of(decided).forEach(child::add);
        SpawnerTurn turn = new SpawnerTurn(0);
        decisions.take(child, turn);
        return turn.actions();
    }

    /** Both members have all records; returns what the leader does then. */
    private static List<SpawnerAction> acknowledge(ReplicatedLog log, DecisionLog decisions) {
        log.written(LEADER, new LogMessage.AppendAck(1, 100));
        log.written(MEMBER, new LogMessage.AppendAck(1, 100));
        SpawnerTurn turn = new SpawnerTurn(0);
        decisions.tick(turn);
        return turn.actions();
    }

    private List<SpawnerAction> acknowledge() {
        return acknowledge(log, decisions);
    }

    @Test
    void anActionThatDecidesNothingPassesAtOnce() {
        assertEquals(List.of(new SpawnerAction.ReadArbiter()), take(new SpawnerAction.ReadArbiter()));
    }

    @Test
    void aVerdictIsInTheLogBeforeItIsActedOn() {
        assertEquals(List.of(), take(VERDICT));
        assertEquals(
                Optional.of(new LogEntry.SnapshotVerdict(0, 5, 0.5, true, 0, List.of())),
                log.newest(LogEntry.SnapshotVerdict.class));
        log.written(LEADER, new LogMessage.AppendAck(1, 100));
        assertEquals(List.of(), take(), "one of two members has it");
        assertEquals(List.of(VERDICT), acknowledge());
        assertEquals(List.of(), acknowledge(), "once");
    }

    @Test
    void theEndOfTheJobIsInTheLogBeforeItIsAnnounced() {
        take(FAILED);
        assertEquals(
                Optional.of(new LogEntry.JobGivenUp(0, Optional.of("no memory"))),
                log.newest(LogEntry.JobGivenUp.class));
        assertEquals(List.of(FAILED), acknowledge());
    }

    @Test
    void aDeposedLeaderDoesNothingThatItDecided() {
        take(VERDICT);
        log.refused(2);
        assertEquals(List.of(), acknowledge());
    }

    @Test
    void aJobThatWasGivenUpGetsNoVerdict() {
        take(FAILED);
        take(VERDICT);
        assertEquals(Optional.empty(), log.newest(LogEntry.SnapshotVerdict.class));
        assertEquals(List.of(FAILED), acknowledge());
    }

    @Test
    void aCompleteResultIsNotGivenUp() {
        take(VERDICT);
        acknowledge();
        assertEquals(List.of(CERTIFIED), take(CERTIFIED), "both members have acknowledged more than this record");
        decisions.end(new JobOutcome.Failed("no memory"));
        assertEquals(Optional.empty(), log.newest(LogEntry.JobGivenUp.class));
    }

    @Test
    void aWithdrawalIsReportedOnceItCounts() {
        take(VERDICT);
        acknowledge();
        decisions.withdraw(5);
        log.written(MEMBER, new LogMessage.AppendAck(1, 1));
        assertEquals(OptionalLong.empty(), decisions.withdrawn());
        acknowledge();
        assertEquals(OptionalLong.of(5), decisions.withdrawn());
        assertEquals(OptionalLong.empty(), decisions.withdrawn());
    }

    @Test
    void theNextLeaderCompletesAnEndThatItInherits() {
        ReplicatedLog inherited = newLog(List.of(new LogEntry.JobGivenUp(0, Optional.of("no memory"))));
        assertEquals(List.of(FAILED), acknowledge(inherited, new DecisionLog(inherited)));
    }
}
