// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.BlockAssignment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spawner 2 leads. */
class GroupDispatcherTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final GroupDispatcher dispatcher = new GroupDispatcher(parts.group, parts.leadership, parts.recoveredSteps);
    private final SpawnerTurn turn = new SpawnerTurn(0);

    GroupDispatcherTest() {
        parts.elect(OTHER);
    }

    @Test
    void aDirectoryUpdateIsAcknowledgedAndKept() {
        BlockAssignment entry = Samples.serves(SECOND, 2, incarnation(2, 1));
        dispatcher.received(OTHER.id(), new BlockMessage.DirectoryUpdate(4, List.of(entry)), turn);
        assertEquals(List.of(new BlockMessage.DirectoryAck(4)), messagesTo(OTHER.id(), turn));
        assertEquals(Optional.of(entry), parts.group.directory().find(2));
    }

    @Test
    void aFatalFailureGoesToTheLeader() {
        BlockMessage.BlockFailed failed = new BlockMessage.BlockFailed(0, incarnation(1, 1), "diverged", true);
        dispatcher.received(DAEMON.id(), failed, turn);
        assertEquals(List.of(failed), messagesTo(OTHER.id(), turn));
    }

    @Test
    void aBlockThatCannotBeOpenedGoesToAnotherDaemon() {
        parts.plan();
        parts.join(SECOND);
        BlockMessage.BlockFailed failed =
                new BlockMessage.BlockFailed(0, incarnation(1, Epochs.first(1)), "no memory", false);
        dispatcher.received(DAEMON.id(), failed, turn);
        assertEquals(List.of(0), parts.blocksOf(SECOND));
    }

    @Test
    void aSnapshotRequestGoesToTheDaemonsOnceThereIsAPlan() {
        SnapshotMessage.RecordBlocks request = new SnapshotMessage.RecordBlocks(0, 7);
        dispatcher.received(OTHER.id(), request, turn);
        assertEquals(List.of(), turn.actions());
        parts.plan();
        dispatcher.received(OTHER.id(), request, turn);
        assertTrue(receivers(turn).contains(DAEMON.id()));
    }

    @Test
    void aCommittedStepIsKnownWithoutAPlan() {
        CommittedStep step = new CommittedStep(1, 7, 1e-7, List.of());
        dispatcher.received(new StepMessage.StepCommit(step), turn);
        assertEquals(Optional.of(step), parts.recoveredSteps.newest());
    }
}
