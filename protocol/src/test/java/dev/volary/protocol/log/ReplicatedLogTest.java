// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplicatedLogTest {
    private static final Duration RETRY = Duration.ofNanos(10);
    private static final WorkerId A = new WorkerId(1);
    private static final WorkerId B = new WorkerId(2);
    private static final WorkerId C = new WorkerId(3);
    private static final LogEntry STEP_1 = new LogEntry.StepCommitted(new CommittedStep(1, 11, 0.5, List.of()));
    private static final LogEntry STEP_2 = new LogEntry.StepCommitted(new CommittedStep(2, 22, 0.5, List.of()));

    private final TreeMap<WorkerId, LogReplica> copies = new TreeMap<>();
    private LeaderElectionRecord arbiter = record(A, 1, A, B);
    private long now;

    private LogReplica copy(WorkerId of) {
        return copies.computeIfAbsent(of, id -> new LogReplica());
    }

    private static LeaderElectionRecord record(WorkerId leader, long term, WorkerId... members) {
        return new LeaderElectionRecord(Optional.of(leader), term, List.of(members));
    }

    private static ReplicatedLog log(WorkerId leader, LeaderElectionRecord granted, LogEntry... inherited) {
        return new ReplicatedLog(leader, RETRY, granted, List.of(inherited));
    }

    /** The arbiter names A as leader and only member. */
    private ReplicatedLog logOfOneMember() {
        arbiter = record(A, 1, A);
        return log(A, arbiter);
    }

    /** The log writes, those of {@code reached} answer, and so does the arbiter. */
    private void round(ReplicatedLog log, WorkerId leader, List<WorkerId> others, WorkerId... reached) {
        SpawnerTurn turn = new SpawnerTurn(now);
        now += RETRY.toNanos();
        log.tick(others, turn);
        for (SpawnerAction action : turn.actions()) {
            switch (action) {
                case WorkerAction.Send send -> {
                    if (List.of(reached).contains(send.to())) {
                        write(log, leader, send.to(), (LogMessage.Append) send.message());
                    }
                }
                case SpawnerAction.CompareAndSet set -> {
                    arbiter = arbiter.equals(set.expected()) ? set.next() : arbiter;
                    log.answered(arbiter);
                }
                case SpawnerAction.ReadArbiter read -> log.answered(arbiter);
                default -> throw new AssertionError(action);
            }
        }
    }

    private void write(ReplicatedLog log, WorkerId leader, WorkerId member, LogMessage.Append write) {
        SpawnerTurn answer = new SpawnerTurn(0);
        copy(member).write(leader, write, answer);
        switch (((WorkerAction.Send) answer.actions().getFirst()).message()) {
            case LogMessage.AppendAck written -> log.written(member, written);
            case LogMessage.PrepareRejected refused -> log.refused(refused.promised());
            default -> throw new AssertionError(answer.actions());
        }
    }

    @Test
    void aRecordCountsOnceEveryMemberHasIt() {
        ReplicatedLog log = log(A, arbiter);
        long position = log.append(STEP_1);
        round(log, A, List.of(B), A);
        assertTrue(log.durable() < position);
        round(log, A, List.of(B), A, B);
        assertEquals(position, log.durable());
        assertEquals(List.of(STEP_1), copy(B).promise(2));
    }

    @Test
    void ofEachKindOnlyTheNewestIsKept() {
        ReplicatedLog log = log(A, arbiter);
        log.append(STEP_1);
        round(log, A, List.of(B), A, B);
        log.append(new LogEntry.JobGivenUp(3, Optional.empty()));
        log.append(STEP_2);
        round(log, A, List.of(B), A, B);
        assertEquals(List.of(new LogEntry.JobGivenUp(3, Optional.empty()), STEP_2), copy(B).promise(2));
        assertEquals(4, log.entries(), "two records, and how far two members have them");
    }

    @Test
    void aPromiseToTheNextLeaderShutsTheOldOneOut() {
        ReplicatedLog old = log(A, arbiter);
        old.append(STEP_1);
        round(old, A, List.of(B), A, B);
        List<LogEntry> promised = copy(B).promise(2);
        assertEquals(List.of(STEP_1), promised, "what counts is known to each member that promises");
        old.append(STEP_2);
        round(old, A, List.of(B), A, B);
        assertTrue(old.isDeposed());
        assertEquals(0, old.durable());
    }

    @Test
    void inheritedRecordsCountAgainOnceAllMembersHaveThem() {
        ReplicatedLog next = log(B, record(B, 2, B, C), STEP_1);
        round(next, B, List.of(C), B);
        assertFalse(next.holds(STEP_1));
        round(next, B, List.of(C), B, C);
        assertTrue(next.holds(STEP_1));
    }

    @Test
    void aDeadMemberDelaysRecordsUntilTheArbiterHasRemovedIt() {
        arbiter = record(A, 1, A, B, C);
        ReplicatedLog log = log(A, arbiter);
        long position = log.append(STEP_1);
        round(log, A, List.of(B, C), A, C);
        assertTrue(log.durable() < position);
        round(log, A, List.of(C), A, C);
        assertEquals(List.of(A, C), arbiter.logMembers());
        assertEquals(position, log.durable());
    }

    @Test
    void aJoiningMemberHasAllRecordsBeforeItCounts() {
        ReplicatedLog log = logOfOneMember();
        log.append(STEP_1);
        round(log, A, List.of(B), A);
        assertEquals(List.of(A), arbiter.logMembers());
        round(log, A, List.of(B), A, B);
        round(log, A, List.of(B), A, B);
        assertEquals(List.of(A, B), arbiter.logMembers());
        assertEquals(List.of(STEP_1), copy(B).promise(2));
    }

    /** Otherwise what the leader has done by then is lost with it, though another spawner lives. */
    @Test
    void aRecordOfALogOfOneMemberDoesNotCountBeforeALivingSpawnerHasJoined() {
        ReplicatedLog log = logOfOneMember();
        long position = log.append(STEP_1);
        round(log, A, List.of(B), A);
        assertTrue(log.durable() < position);
        round(log, A, List.of(B), A, B);
        round(log, A, List.of(B), A, B);
        assertEquals(position, log.durable());
    }

    @Test
    void aRecordOfALogOfOneMemberCountsOnceTheOtherSpawnerIsDead() {
        ReplicatedLog log = logOfOneMember();
        long position = log.append(STEP_1);
        round(log, A, List.of(B), A);
        round(log, A, List.of(), A);
        assertEquals(position, log.durable());
    }

    @Test
    void aLogOfOneMemberCountsOnlyIfTheArbiterStillNamesItsLeader() {
        ReplicatedLog log = logOfOneMember();
        long position = log.append(STEP_1);
        arbiter = record(C, 2, C);
        round(log, A, List.of(), A);
        round(log, A, List.of(), A);
        assertTrue(log.isDeposed());
        assertTrue(log.durable() < position);
    }
}
