// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** This daemon serves block 0 of the chain 0 - 1; another daemon serves block 1. */
class DaemonSnapshotsTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final WorkerId SPAWNER = new WorkerId(1);
    private static final Member SELF = daemon(11);
    private static final Member OTHER = daemon(12);
    private static final long SID = 5;
    private static final Incarnation SERVED = incarnation(1, 2);
    private static final RecordedBlock OWN = new RecordedBlock(0, SERVED, 100);
    private static final RecordedBlock SOURCE = new RecordedBlock(1, SERVED, 101);
    private static final PartialResidual RESIDUAL = new PartialResidual(1, 1, 0);

    private final BlockDirectory directory = new BlockDirectory();
    private final DaemonSnapshots daemon = new DaemonSnapshots(SELF.id(), chain(2), directory, RETRY);

    DaemonSnapshotsTest() {
        directory.merge(serves(SELF, 0, SERVED));
        directory.merge(serves(OTHER, 1, SERVED));
        daemon.reportTo(SPAWNER);
        daemon.blockOpened(0, 0, new DaemonTurn(0));
    }

    private DaemonTurn request(long sid) {
        DaemonTurn turn = new DaemonTurn(0);
        daemon.request(0, sid, turn);
        return turn;
    }

    private DaemonTurn on(DaemonEvent.SnapshotEvent event) {
        DaemonTurn turn = new DaemonTurn(0);
        daemon.on(event, turn);
        return turn;
    }

    private DaemonTurn haloArrived(RecordedBlock source) {
        return on(new DaemonEvent.RecordedHaloArrived(0, SID, source, 0));
    }

    private DaemonTurn recorded() {
        return on(new DaemonEvent.BlockRecorded(SID, OWN, 30));
    }

    private DaemonTurn evaluated(RecordedBlock used) {
        return on(new DaemonEvent.PartEvaluated(SID, OWN, List.of(used), RESIDUAL, 9));
    }

    private static DaemonAction evaluate(RecordedBlock used) {
        return new DaemonAction.EvaluatePart(SID, 0, List.of(used));
    }

    private static Message part(RecordedBlock used) {
        return new SnapshotMessage.SnapshotPart(SID, OWN, List.of(used), RESIDUAL, 30, 9);
    }

    private void evaluateAll() {
        request(SID);
        recorded();
        haloArrived(SOURCE);
        evaluated(SOURCE);
    }

    @Test
    void aRequestRecordsTheBlockAndTheRecordGoesToItsReaders() {
        assertEquals(List.of(new DaemonAction.RecordBlock(SID, 0)), request(SID).actions());
        assertEquals(
                List.of(new DaemonAction.SendRecordedHalo(SID, 0, 1)),
                recorded().actions());
        assertEquals(List.of(), recorded().actions(), "recorded once");
    }

    @Test
    void aPartIsEvaluatedOnceAllSourcesAreThere() {
        request(SID);
        recorded();
        assertEquals(List.of(evaluate(SOURCE)), haloArrived(SOURCE).actions());
        assertEquals(List.of(), haloArrived(SOURCE).actions(), "the same halo again");
        assertEquals(List.of(part(SOURCE)), messages(evaluated(SOURCE)));
    }

    @Test
    void aRepeatedRequestIsAnsweredWithThePartAgain() {
        evaluateAll();
        assertEquals(List.of(part(SOURCE)), messages(request(SID)));
        assertEquals(List.of(), request(SID - 1).actions());
    }

    @Test
    void aRecordedHaloOfANewSnapshotStartsItBeforeTheRequestArrives() {
        assertEquals(
                List.of(new DaemonAction.RecordBlock(SID, 0)),
                haloArrived(SOURCE).actions());
        assertEquals(List.of(), request(SID).actions());
    }

    @Test
    void aResidualOfOtherSourcesThanTheNewestIsIgnored() {
        request(SID);
        recorded();
        haloArrived(SOURCE);
        RecordedBlock newer = new RecordedBlock(1, incarnation(1, 3), 103);
        assertEquals(List.of(evaluate(newer)), haloArrived(newer).actions());
        assertEquals(List.of(), messages(evaluated(SOURCE)));
        assertEquals(List.of(part(newer)), messages(evaluated(newer)));
    }

    @Test
    void aHaloOfAReplacedIncarnationIsIgnored() {
        request(SID);
        recorded();
        assertEquals(
                List.of(),
                haloArrived(new RecordedBlock(1, incarnation(1, 1), 99)).actions());
    }

    @Test
    void aMissingHaloIsAskedForOncePerRetryPeriod() {
        request(SID);
        recorded();
        DaemonTurn early = new DaemonTurn(RETRY.toNanos() - 1);
        daemon.tick(early);
        assertEquals(List.of(), messages(early));
        assertEquals(RETRY.toNanos(), early.wakeUp());
        for (long retry = 1; retry <= 2; retry++) {
            DaemonTurn due = new DaemonTurn(retry * RETRY.toNanos());
            daemon.tick(due);
            assertEquals(List.of(OTHER.id()), receivers(due));
            assertEquals(List.of(new SnapshotMessage.SnapshotHaloRequest(SID, 1, 0)), messages(due));
        }
        haloArrived(SOURCE);
        DaemonTurn later = new DaemonTurn(3 * RETRY.toNanos());
        daemon.tick(later);
        assertEquals(List.of(), messages(later));
    }

    @Test
    void aReaderThatMissesTheRecordedHaloGetsItAgain() {
        request(SID);
        DaemonTurn before = new DaemonTurn(0);
        daemon.haloRequested(new SnapshotMessage.SnapshotHaloRequest(SID, 0, 1), before);
        assertEquals(List.of(), before.actions(), "nothing is recorded yet");
        recorded();
        DaemonTurn turn = new DaemonTurn(0);
        daemon.haloRequested(new SnapshotMessage.SnapshotHaloRequest(SID, 0, 1), turn);
        assertEquals(List.of(new DaemonAction.SendRecordedHalo(SID, 0, 1)), turn.actions());
    }

    @Test
    void aPartThatUsedAWrongRecordIsEvaluatedAgainWithTheTrueOne() {
        evaluateAll();
        RecordedBlock truth = new RecordedBlock(1, SERVED, 555);
        DaemonTurn turn = new DaemonTurn(0);
        daemon.recheck(new SnapshotMessage.Reevaluate(SID, List.of(truth)), turn);
        assertEquals(List.of(new SnapshotMessage.SnapshotHaloRequest(SID, 1, 0)), messages(turn));
        assertEquals(List.of(), haloArrived(SOURCE).actions(), "the wrong record does not come back");
        assertEquals(List.of(evaluate(truth)), haloArrived(truth).actions());
    }

    @Test
    void aPartIsStoredOnceAndItsAnswerRepeated() {
        evaluateAll();
        DaemonTurn turn = new DaemonTurn(0);
        daemon.store(SID, turn);
        daemon.store(SID, turn);
        assertEquals(List.of(new DaemonAction.StorePart(SID, 0)), turn.actions());
        Message stored = new SnapshotMessage.SnapshotStored(SID, OWN, 77);
        assertEquals(List.of(stored), messages(on(new DaemonEvent.PartStored(SID, OWN, 77))));
        DaemonTurn again = new DaemonTurn(0);
        daemon.store(SID, again);
        assertEquals(List.of(stored), messages(again));
        assertTrue(daemon.stored().isPresent());
    }

    @Test
    void theSnapshotOfACommittedStepIsOverAndNotRefused() {
        evaluateAll();
        DaemonTurn turn = new DaemonTurn(0);
        daemon.stepOver(0, turn);
        assertEquals(List.of(new DaemonAction.DropRecord(SID, false)), turn.actions());
    }

    @Test
    void aDiscardedSnapshotIsForgotten() {
        evaluateAll();
        DaemonTurn turn = new DaemonTurn(0);
        daemon.discard(SID, turn);
        assertEquals(List.of(new DaemonAction.DropRecord(SID, true)), turn.actions());
        assertEquals(List.of(), request(SID).actions(), "a late request does not open it again");
        DaemonTurn store = new DaemonTurn(0);
        daemon.store(SID, store);
        assertEquals(List.of(), store.actions());
    }

    @Test
    void aBlockInAnotherTimeStepIsRecordedOnceItIsInTheSnapshotsStep() {
        DaemonSnapshots marching = new DaemonSnapshots(SELF.id(), chain(2, 3), directory, RETRY);
        marching.blockOpened(0, 1, new DaemonTurn(0));
        DaemonTurn turn = new DaemonTurn(0);
        marching.request(2, SID, turn);
        assertEquals(List.of(), turn.actions());
        marching.stepTaken(0, 2, turn);
        assertEquals(List.of(new DaemonAction.RecordBlock(SID, 0)), turn.actions());
    }
}
