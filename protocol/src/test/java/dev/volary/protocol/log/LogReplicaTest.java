// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import static dev.volary.protocol.Samples.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogReplicaTest {
    private static final WorkerId LEADER = new WorkerId(1);
    private static final LogEntry FIRST = new LogEntry.ResultComplete(1);
    private static final LogEntry SECOND = new LogEntry.VerdictWithdrawn(2);

    private final LogReplica replica = new LogReplica();

    private List<Message> append(long term, long after, long position, LogEntry... records) {
        SpawnerTurn turn = new SpawnerTurn(0);
        replica.write(LEADER, new LogMessage.Append(term, after, position, List.of(records)), turn);
        return messages(turn);
    }

    private List<Message> prepare(long term) {
        SpawnerTurn turn = new SpawnerTurn(0);
        replica.promise(LEADER, new LogMessage.Prepare(term), turn);
        return messages(turn);
    }

    private static List<Message> ack(long term, long position) {
        return List.of(new LogMessage.AppendAck(term, position));
    }

    @Test
    void anAppendIsAcknowledgedWithItsPosition() {
        assertEquals(ack(1, 1), append(1, 0, 1, FIRST));
        assertEquals(ack(1, 2), append(1, 1, 2, SECOND));
        assertEquals(List.of(new LogMessage.Promise(2, List.of(FIRST, SECOND))), prepare(2));
    }

    @Test
    void aRepeatedAppendIsAcknowledgedAgainAndChangesNothing() {
        append(1, 0, 1, FIRST);
        append(1, 1, 2, SECOND);
        assertEquals(ack(1, 2), append(1, 0, 1, FIRST));
        assertEquals(2, replica.entries());
    }

    @Test
    void anAppendWithAGapBeforeItIsNotTaken() {
        append(1, 0, 1, FIRST);
        assertEquals(List.of(), append(1, 5, 6, SECOND));
        assertEquals(1, replica.entries());
    }

    @Test
    void anAppendOfAnOlderTermIsRejected() {
        append(2, 0, 1, FIRST);
        assertEquals(List.of(new LogMessage.PrepareRejected(2)), append(1, 0, 1, SECOND));
        assertEquals(List.of(new LogMessage.Promise(3, List.of(FIRST))), prepare(3));
    }

    @Test
    void aPromiseShutsOutOlderLeaders() {
        append(1, 0, 1, FIRST);
        assertEquals(List.of(new LogMessage.Promise(3, List.of(FIRST))), prepare(3));
        assertEquals(List.of(new LogMessage.PrepareRejected(3)), append(2, 0, 1, SECOND));
        assertEquals(List.of(new LogMessage.PrepareRejected(3)), append(1, 1, 2, SECOND));
        assertEquals(ack(3, 1), append(3, 0, 1, SECOND));
    }

    @Test
    void aPromiseIsGivenAgainButNotToAnOlderTerm() {
        prepare(3);
        assertEquals(List.of(new LogMessage.Promise(3, List.of())), prepare(3));
        assertEquals(List.of(new LogMessage.PrepareRejected(3)), prepare(2));
    }

    @Test
    void theFirstAppendOfANewTermReplacesWhatWasThere() {
        append(1, 0, 7, FIRST);
        assertEquals(ack(2, 1), append(2, 0, 1, SECOND));
        assertEquals(List.of(new LogMessage.Promise(3, List.of(SECOND))), prepare(3));
    }
}
