// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Group 1 has blocks 0 and 1, group 2 has block 2, group 3 has none; blocks 1 and 2 read each other. */
class OpenSnapshotTest {
    private static final long SID = 7;
    private static final int STEP = 3;
    private static final long RETRY = 200;
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final List<OpenSnapshot.Group> GROUPS =
            OpenSnapshot.Group.of(List.of(group(ONE, 1, 0, 1), group(TWO, 1, 2), group(spawner(3), 1)));
    private static final RecordedBlock ZERO = new RecordedBlock(0, incarnation(1, 1), 100);
    private static final RecordedBlock FIRST = new RecordedBlock(1, incarnation(1, 1), 101);
    private static final RecordedBlock SECOND = new RecordedBlock(2, incarnation(2, 1), 102);
    private static final RecordedBlock SECOND_LATER = new RecordedBlock(2, incarnation(2, 1), 999);

    private final OpenSnapshot snapshot = new OpenSnapshot(SID, STEP, GROUPS, RETRY, 0);

    private static SnapshotMessage.SnapshotGroupPart part(
            Member owner, List<RecordedBlock> own, RecordedBlock used, PartialResidual residual, long cost) {
        List<Integer> notFinite = Double.isFinite(residual.bound())
                ? List.of()
                : List.of(own.getFirst().block());
        return new SnapshotMessage.SnapshotGroupPart(
                SID,
                new GroupTerm(1, owner.id()),
                own.size(),
                own,
                List.of(used),
                notFinite,
                residual,
                cost, // any number
                SnapshotDigest.of(own),
                cost);
    }

    private boolean first(RecordedBlock used) {
        return snapshot.evaluated(part(ONE, List.of(ZERO, FIRST), used, new PartialResidual(0.5, 4, 0.25), 10));
    }

    private boolean second(RecordedBlock used) {
        return snapshot.evaluated(part(TWO, List.of(SECOND), used, new PartialResidual(0.75, 5, 0.125), 20));
    }

    private OpenSnapshot.Storage stored(Member owner, RecordedBlock... parts) {
        List<SnapshotMessage.StoredPart> durable = List.of(parts).stream()
                .map(part -> new SnapshotMessage.StoredPart(part, 77))
                .toList();
        return snapshot.stored(new SnapshotMessage.SnapshotGroupStored(SID, new GroupTerm(1, owner.id()), durable));
    }

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        snapshot.tick(turn);
        return turn;
    }

    @Test
    void eachGroupWithBlocksIsAskedToRecordThem() {
        SpawnerTurn turn = new SpawnerTurn(0);
        snapshot.ask(turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(Set.of(new SnapshotMessage.RecordBlocks(STEP, SID)), Set.copyOf(messages(turn)));
    }

    @Test
    void onlyGroupsThatDidNotAnswerAreAskedAgain() {
        snapshot.ask(new SpawnerTurn(0));
        first(SECOND);
        assertEquals(List.of(), messages(tick(RETRY - 1)));
        assertEquals(List.of(TWO.id()), receivers(tick(RETRY)));
    }

    @Test
    void allPartsAreThereOnceEachGroupHasAnswered() {
        assertFalse(first(SECOND));
        assertFalse(first(SECOND), "the same part twice is one part");
        assertTrue(second(FIRST));
    }

    @Test
    void aGroupThatHasOtherBlocksNowDoesNotCount() {
        second(FIRST);
        assertFalse(snapshot.evaluated(part(ONE, List.of(ZERO), SECOND, PartialResidual.ZERO, 0)));
        assertFalse(snapshot.has(new GroupTerm(2, ONE.id())));
    }

    @Test
    void theEvaluationCombinesTheResidualsOfAllGroups() {
        first(SECOND);
        second(FIRST);
        OpenSnapshot.Evaluation all = snapshot.evaluation();
        assertEquals(new PartialResidual(0.5, 4, 0.25).combine(new PartialResidual(0.75, 5, 0.125)), all.residual());
        assertEquals(20, all.costNanos(), "of the group that took longest");
        assertEquals(30, all.iterations());
        assertEquals(10, snapshot.iterations(), "of three blocks on average");
        assertEquals(Set.of(), all.notFinite());
    }

    @Test
    void blocksWhoseResidualIsNotFiniteAreNamed() {
        first(SECOND);
        snapshot.evaluated(part(TWO, List.of(SECOND), FIRST, new PartialResidual(Double.NaN, 1, 0), 0));
        assertEquals(Set.of(2), snapshot.evaluation().notFinite());
    }

    @Test
    void aGroupThatUsedSomethingElseThanWasRecordedEvaluatesAgain() {
        first(SECOND_LATER);
        second(FIRST);
        SpawnerTurn turn = new SpawnerTurn(0);
        assertFalse(snapshot.edgesAgree(turn));
        assertEquals(List.of(new SnapshotMessage.Reevaluate(SID, List.of(SECOND))), messagesTo(ONE.id(), turn));
        assertEquals(List.of(), messagesTo(TWO.id(), turn));
        assertTrue(first(SECOND), "group 2 need not answer again");
        assertTrue(snapshot.edgesAgree(new SpawnerTurn(0)));
    }

    @Test
    void aGroupThatUsedABlockWithoutARecordIsAskedAgain() {
        first(new RecordedBlock(5, incarnation(2, 1), 105));
        second(FIRST);
        SpawnerTurn turn = new SpawnerTurn(0);
        assertFalse(snapshot.edgesAgree(turn));
        assertEquals(List.of(), messages(turn), "no correction is known");
        assertEquals(List.of(ONE.id()), receivers(tick(RETRY)));
    }

    @Test
    void groupsThatNeverAgreeAreHopeless() {
        second(FIRST);
        for (int attempt = 0; attempt < GroupSnapshots.MOST_RECHECKS; attempt++) {
            first(SECOND_LATER);
            snapshot.edgesAgree(new SpawnerTurn(0));
        }
        assertFalse(snapshot.isHopeless());
        first(SECOND_LATER);
        snapshot.edgesAgree(new SpawnerTurn(0));
        assertTrue(snapshot.isHopeless());
    }

    @Test
    void allGroupsStoreWhatTheyEvaluated() {
        first(SECOND);
        second(FIRST);
        SpawnerTurn turn = new SpawnerTurn(0);
        snapshot.store(turn);
        SnapshotMessage store = new SnapshotMessage.SnapshotStore(SID);
        assertEquals(List.of(store, store), messages(turn));
        assertEquals(OpenSnapshot.Storage.INCOMPLETE, stored(TWO, SECOND));
        assertEquals(List.of(ONE.id()), receivers(tick(RETRY)));
        assertEquals(OpenSnapshot.Storage.COMPLETE, stored(ONE, FIRST, ZERO));
        assertEquals(
                List.of(ZERO, FIRST, SECOND),
                snapshot.storedParts().stream()
                        .map(SnapshotMessage.StoredPart::part)
                        .toList());
    }

    @Test
    void aGroupThatStoredSomethingElseThanItEvaluatedIsFound() {
        first(SECOND);
        second(FIRST);
        snapshot.store(new SpawnerTurn(0));
        assertEquals(OpenSnapshot.Storage.NOT_AS_EVALUATED, stored(TWO, SECOND_LATER));
        assertEquals(OpenSnapshot.Storage.NOT_AS_EVALUATED, stored(ONE, ZERO), "block 1 is not stored");
    }

    @Test
    void nothingCountsAsStoredBeforeItWasAskedFor() {
        first(SECOND);
        second(FIRST);
        assertEquals(OpenSnapshot.Storage.INCOMPLETE, stored(ONE, ZERO, FIRST));
        assertEquals(OpenSnapshot.Storage.INCOMPLETE, stored(TWO, SECOND));
        assertEquals(List.of(), snapshot.storedParts());
    }

    @Test
    void noPartIsEvaluatedAgainWhileThePartsAreStored() {
        first(SECOND);
        second(FIRST);
        snapshot.store(new SpawnerTurn(0));
        assertFalse(first(SECOND_LATER));
        assertEquals(OpenSnapshot.Storage.INCOMPLETE, stored(ONE, ZERO, FIRST));
        assertEquals(OpenSnapshot.Storage.COMPLETE, stored(TWO, SECOND));
    }
}
