// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.daemon.DaemonParts.ASYNCHRONOUS;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.LOCK_STEP;
import static dev.volary.protocol.daemon.DaemonParts.NEIGHBOR;
import static dev.volary.protocol.daemon.DaemonParts.OWNER;
import static dev.volary.protocol.daemon.DaemonParts.SECOND;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ServedBlocksTest {
    private final DaemonParts parts = new DaemonParts();
    private final ServedBlocks served = parts.served;

    private DaemonTurn fenced(Member from) {
        DaemonTurn turn = new DaemonTurn(0);
        served.fenced(from.id(), new BlockMessage.StaleIncarnation(0, SECOND), Optional.of(OWNER.id()), turn);
        return turn;
    }

    @Test
    void anAssignedBlockIsOpenedOrRestoredAndItsDataAreAccepted() {
        assertEquals(
                List.of(new DaemonAction.OpenBlock(0, FIRST), new DaemonAction.RouteBlock(serves(SELF, 0, FIRST))),
                parts.assign(0, FIRST).actions());
        assertEquals(
                List.of(
                        new DaemonAction.RestoreBlock(1, SECOND, Optional.empty()),
                        new DaemonAction.RouteBlock(serves(SELF, 1, SECOND))),
                parts.assign(1, SECOND).actions());
    }

    @Test
    void theBackupThatTheOwnerKnowsGoesToItsBlock() {
        BackupVersion copy = new BackupVersion(1, FIRST, 40);
        DaemonTurn turn = new DaemonTurn(0);
        served.assign(
                OWNER.id(),
                new BlockMessage.Assign(
                        SECOND.term(), List.of(serves(SELF, 0, SECOND), serves(SELF, 1, SECOND)), List.of(copy)),
                turn);
        assertTrue(turn.actions().contains(new DaemonAction.RestoreBlock(0, SECOND, Optional.empty())));
        assertTrue(turn.actions().contains(new DaemonAction.RestoreBlock(1, SECOND, Optional.of(copy))));
    }

    @Test
    void anAssignmentOlderThanTheDirectoryIsFenced() {
        parts.update(NEIGHBOR, 0, SECOND);
        DaemonTurn turn = parts.assign(0, FIRST);
        assertEquals(List.of(new BlockMessage.StaleIncarnation(0, SECOND)), messagesTo(OWNER.id(), turn));
        assertFalse(served.lifecycle().has(0));
    }

    @Test
    void aNewerAssignmentOfAServedBlockReplacesIt() {
        parts.open(0, FIRST, 0);
        assertEquals(
                List.of(
                        new DaemonAction.DropBlock(0, FIRST, true),
                        new DaemonAction.RestoreBlock(0, SECOND, Optional.empty()),
                        new DaemonAction.RouteBlock(serves(SELF, 0, SECOND))),
                parts.assign(0, SECOND).actions());
    }

    @Test
    void aBlockThatTheDirectoryHasElsewhereIsDroppedByAllParts() {
        int before = parts.served.entries();
        parts.open(0, FIRST, 0);
        assertTrue(served.snapshots().entries() > 0);
        DaemonTurn turn = parts.update(NEIGHBOR, 0, SECOND);
        assertEquals(
                List.of(
                        new WorkerAction.AddPeer(NEIGHBOR),
                        new DaemonAction.DropBlock(0, FIRST, true),
                        new DaemonAction.RouteBlock(serves(NEIGHBOR, 0, SECOND))),
                turn.actions());
        assertEquals(before, served.entries());
    }

    @Test
    void anEntryThatIsNotNewerChangesNothing() {
        parts.open(0, SECOND, 0);
        assertEquals(List.of(), parts.update(NEIGHBOR, 0, SECOND).actions());
        assertEquals(List.of(), parts.update(NEIGHBOR, 0, FIRST).actions());
        assertTrue(served.lifecycle().has(0));
    }

    @Test
    void theOwnerIsNotifiedIfAnotherWorkerFencesABlock() {
        parts.open(0, FIRST, 0);
        DaemonTurn turn = fenced(NEIGHBOR);
        assertEquals(List.of(new BlockMessage.StaleIncarnation(0, SECOND)), messagesTo(OWNER.id(), turn));
        assertEquals(List.of(), messages(fenced(NEIGHBOR)), "the block is dropped already");
    }

    @Test
    void theOwnerThatFencesABlockIsNotNotified() {
        parts.open(0, FIRST, 0);
        assertEquals(List.of(), messages(fenced(OWNER)));
        assertFalse(served.lifecycle().has(0));
    }

    @Test
    void aBlockWithoutABackupSendsNoHaloUnasked() {
        parts.update(NEIGHBOR, 1, FIRST);
        parts.assign(0, SECOND);
        DaemonTurn turn = new DaemonTurn(0);
        served.restored(new DaemonEvent.BlockRestored(0, SECOND, OptionalLong.empty(), 0), turn);
        assertFalse(turn.actions().contains(new DaemonAction.PublishHalo(0, 1)), turn.actions()::toString);
    }

    @Test
    void aRestoredBlockSendsItsHaloAndWaitsForNone() {
        parts.update(NEIGHBOR, 1, FIRST);
        parts.assign(0, SECOND);
        DaemonTurn turn = new DaemonTurn(0);
        served.restored(new DaemonEvent.BlockRestored(0, SECOND, OptionalLong.of(40), 0), turn);
        served.lifecycle().tick(Optional.of(OWNER.id()), turn);
        assertTrue(turn.actions().contains(new DaemonAction.PublishHalo(0, 1)), turn.actions()::toString);
        assertTrue(turn.actions().contains(new DaemonAction.StartBlock(0, SECOND)), turn.actions()::toString);
    }

    @Test
    void anOpenBlockTakesPartInTheOpenSnapshot() {
        served.received(new SnapshotMessage.RecordBlocks(0, 7), new DaemonTurn(0));
        DaemonTurn turn = parts.open(0, FIRST, 0);
        assertTrue(turn.actions().contains(new DaemonAction.RecordBlock(7, 0)), turn.actions()::toString);
    }

    @Test
    void aDiscardedSnapshotIsOver() {
        served.received(new SnapshotMessage.RecordBlocks(0, 7), new DaemonTurn(0));
        DaemonTurn turn = new DaemonTurn(0);
        served.received(new SnapshotMessage.Discard(7, 0.5), turn);
        assertEquals(List.of(new DaemonAction.DropRecord(7, true)), turn.actions());
    }

    @Test
    void aBlockThatIsOpenedInACommittedStepTakesTheCommit() {
        DaemonParts inSteps = new DaemonParts(chain(2, 3), ASYNCHRONOUS);
        CommittedStep record = new CommittedStep(1, 7, 0.5, List.of(stored(0), stored(1)));
        inSteps.served.committed(new StepMessage.StepCommit(record), new DaemonTurn(0));
        DaemonTurn turn = inSteps.open(0, FIRST, 1);
        assertTrue(turn.actions().contains(new DaemonAction.CommitStep(0, FIRST, record)), turn.actions()::toString);
    }

    private static SnapshotMessage.StoredPart stored(int block) {
        return new SnapshotMessage.StoredPart(new RecordedBlock(block, FIRST, 100 + block), 77);
    }

    @Test
    void aBlockGoesToTheNextStepInAllParts() {
        DaemonParts inSteps = new DaemonParts(chain(2, 3), ASYNCHRONOUS);
        inSteps.open(0, FIRST, 1);
        inSteps.served.received(new SnapshotMessage.RecordBlocks(2, 8), new DaemonTurn(0));
        DaemonTurn turn = new DaemonTurn(0);
        assertTrue(inSteps.served.stepTaken(new DaemonEvent.StepCommitted(0, FIRST, 2), turn));
        assertEquals(List.of(new DaemonAction.RecordBlock(8, 0)), turn.actions());
        assertEquals(2, inSteps.served.lifecycle().progress().getFirst().step());
        assertFalse(inSteps.served.stepTaken(new DaemonEvent.StepCommitted(0, SECOND, 3), turn));
    }

    @Test
    void aBlockOfAnEpochIsRestoredInStepsWhereAllRollBack() {
        DaemonParts lockStep = new DaemonParts(chain(3), LOCK_STEP);
        DaemonTurn turn = lockStep.assign(0, SECOND);
        assertTrue(turn.actions().contains(new DaemonAction.FindGenerations(0, SECOND)), turn.actions()::toString);
        assertTrue(lockStep.served.rollback().isPresent());
        assertFalse(parts.served.rollback().isPresent());
    }
}
