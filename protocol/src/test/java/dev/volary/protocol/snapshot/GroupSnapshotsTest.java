// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The group has blocks 0 and 1 of the chain 0 - 1 - 2, each on its own daemon; block 2 belongs to another group. */
class GroupSnapshotsTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final WorkerId LEADER = new WorkerId(1);
    private static final GroupTerm TERM = new GroupTerm(1, new WorkerId(2));
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);
    private static final long SID = 5;
    private static final Incarnation SERVED = incarnation(2, 1);
    private static final RecordedBlock ZERO = new RecordedBlock(0, SERVED, 100);
    private static final RecordedBlock MIDDLE = new RecordedBlock(1, SERVED, 101);
    private static final RecordedBlock OUTSIDE = new RecordedBlock(2, incarnation(3, 1), 102);

    private final BlockDirectory directory = new BlockDirectory();
    private final GroupSnapshots group = new GroupSnapshots(chain(3), directory, RETRY, TERM, List.of(0, 1));

    GroupSnapshotsTest() {
        directory.merge(serves(ONE, 0, SERVED));
        directory.merge(serves(TWO, 1, SERVED));
    }

    private SpawnerTurn request(long sid) {
        SpawnerTurn turn = new SpawnerTurn(0);
        group.request(LEADER, 0, sid, turn);
        return turn;
    }

    private SpawnerTurn part(RecordedBlock own, RecordedBlock... used) {
        SpawnerTurn turn = new SpawnerTurn(0);
        group.part(
                LEADER,
                new SnapshotMessage.SnapshotPart(
                        SID, own, List.of(used), new PartialResidual(own.hash(), 1, 0.5), 10, own.hash()),
                turn);
        return turn;
    }

    private SpawnerTurn store(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        group.store(LEADER, SID, turn);
        return turn;
    }

    private List<Message> stored(RecordedBlock part) {
        SpawnerTurn turn = new SpawnerTurn(0);
        group.stored(LEADER, new SnapshotMessage.SnapshotStored(SID, part, 77), turn);
        return messages(turn);
    }

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        group.tick(turn);
        return turn;
    }

    private void collect() {
        request(SID);
        part(ZERO, MIDDLE);
        part(MIDDLE, ZERO, OUTSIDE);
    }

    private static SnapshotMessage.SnapshotGroupPart groupPart() {
        return new SnapshotMessage.SnapshotGroupPart(
                SID,
                TERM,
                2,
                List.of(MIDDLE),
                List.of(OUTSIDE),
                List.of(),
                new PartialResidual(101, 2, 0.5),
                20,
                SnapshotDigest.of(List.of(ZERO, MIDDLE)),
                101);
    }

    @Test
    void theLeaderGetsOnePartWhenAllBlocksHaveAnswered() {
        SpawnerTurn asked = request(SID);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(asked));
        assertEquals(new SnapshotMessage.RecordBlocks(0, SID), messages(asked).getFirst());
        assertEquals(List.of(), messages(part(ZERO, MIDDLE)));
        assertEquals(List.of(groupPart()), messagesTo(LEADER, part(MIDDLE, ZERO, OUTSIDE)));
    }

    @Test
    void theLeadersRepeatedRequestIsAnsweredAgain() {
        collect();
        assertEquals(List.of(groupPart()), messages(request(SID)));
        assertEquals(List.of(), messages(request(SID - 1)), "an older snapshot is over");
    }

    @Test
    void onlyDaemonsThatDidNotAnswerAreAskedAgain() {
        request(SID);
        part(ZERO, MIDDLE);
        assertEquals(List.of(), receivers(tick(RETRY.toNanos() - 1)));
        assertEquals(List.of(TWO.id()), receivers(tick(RETRY.toNanos())));
    }

    @Test
    void aPartThatUsedSomethingElseThanItsNeighborRecordedIsEvaluatedAgain() {
        request(SID);
        part(ZERO, new RecordedBlock(1, SERVED, 999));
        SpawnerTurn turn = part(MIDDLE, ZERO, OUTSIDE);
        assertEquals(List.of(), messagesTo(LEADER, turn));
        assertEquals(List.of(new SnapshotMessage.Reevaluate(SID, List.of(MIDDLE))), messagesTo(ONE.id(), turn));
        assertEquals(List.of(groupPart()), messages(part(ZERO, MIDDLE)));
    }

    @Test
    void aPartThatUsedSomethingElseOfAnotherGroupIsTakenBack() {
        collect();
        SpawnerTurn turn = new SpawnerTurn(0);
        RecordedBlock truth = new RecordedBlock(2, incarnation(3, 1), 555);
        SnapshotMessage.Reevaluate order = new SnapshotMessage.Reevaluate(SID, List.of(truth));
        group.recheck(order, turn);
        assertEquals(List.of(TWO.id()), receivers(turn));
        assertEquals(List.of(order), messages(turn));
        assertEquals(List.of(), messages(request(SID)), "the part of block 1 is missing");
    }

    @Test
    void aPartOfAReplacedIncarnationOrOfAnotherSnapshotIsIgnored() {
        request(SID);
        part(ZERO, MIDDLE);
        directory.merge(serves(TWO, 1, incarnation(2, 2)));
        assertEquals(List.of(), messages(part(MIDDLE, ZERO, OUTSIDE)));
        request(SID + 1);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(tick(RETRY.toNanos())));
    }

    @Test
    void aReplacedBlockBreaksTheSnapshot() {
        collect();
        SpawnerTurn turn = new SpawnerTurn(0);
        group.replaced(Optional.of(LEADER), List.of(1), turn);
        List<Message> aborted = List.of(new SnapshotMessage.Aborted(SID, TERM));
        assertEquals(aborted, messages(turn));
        assertEquals(aborted, messages(request(SID)), "said again when the leader asks again");
        assertEquals(aborted, messages(store(0)));
        assertEquals(2, messages(request(SID + 1)).size(), "the next snapshot begins");
    }

    @Test
    void aPartThatIsDurableSurvivesItsDaemon() {
        collect();
        store(0);
        stored(MIDDLE);
        SpawnerTurn turn = new SpawnerTurn(0);
        group.replaced(Optional.of(LEADER), List.of(1), turn);
        assertEquals(List.of(), messages(turn));
        assertEquals(1, stored(ZERO).size());
    }

    @Test
    void theGroupHasStoredWhenEveryPartThatWasEvaluatedIsDurable() {
        collect();
        SpawnerTurn asked = store(0);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(asked));
        assertEquals(List.of(), stored(ZERO));
        assertEquals(List.of(), stored(new RecordedBlock(1, SERVED, 999)), "not what was evaluated");
        List<Message> done = List.of(new SnapshotMessage.SnapshotGroupStored(
                SID,
                TERM,
                List.of(new SnapshotMessage.StoredPart(ZERO, 77), new SnapshotMessage.StoredPart(MIDDLE, 77))));
        assertEquals(done, stored(MIDDLE));
        assertEquals(List.of(), stored(MIDDLE), "a repeated answer is no news");
        assertEquals(done, messages(store(1)), "the leader's repeated request is answered again");
    }

    @Test
    void aRequestToStoreIsRepeatedToDaemonsThatDidNotAnswer() {
        collect();
        store(0);
        stored(ZERO);
        assertEquals(List.of(), receivers(tick(RETRY.toNanos() - 1)));
        SpawnerTurn due = tick(RETRY.toNanos());
        assertEquals(List.of(TWO.id()), receivers(due));
        assertEquals(List.of(new SnapshotMessage.SnapshotStore(SID)), messages(due));
    }

    @Test
    void theVerdictReachesTheDaemonsAndEndsTheSnapshot() {
        collect();
        SnapshotMessage.Discard verdict = new SnapshotMessage.Discard(SID, 3);
        SpawnerTurn turn = new SpawnerTurn(0);
        group.close(SID, verdict, turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(List.of(), messages(request(SID)));
        assertEquals(List.of(), messages(store(0)));
        SpawnerTurn older = new SpawnerTurn(0);
        group.close(SID - 1, new SnapshotMessage.Discard(SID - 1, 3), older);
        assertEquals(List.of(), messages(older));
    }
}
