// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.BlockAssignment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnedGroupTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final SpawnerTurn turn = new SpawnerTurn(0);

    @Test
    void beforeThePlanALeavingDaemonHasNoBlocks() {
        assertFalse(parts.group.isPlanned());
        assertFalse(parts.group.hasBlock(0));
        assertTrue(parts.group.leaves(new RegistrationMessage.Leaving(DAEMON.id(), List.of()), turn));
        parts.group.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void entriesOfOtherGroupsAreKeptForThePlan() {
        BlockAssignment entry = Samples.serves(SECOND, 2, incarnation(2, 1));
        parts.group.merge(List.of(entry), turn);
        assertEquals(Optional.of(entry), parts.group.directory().find(2));
    }

    @Test
    void thePlanGivesTheGroupItsBlocks() {
        parts.plan();
        assertTrue(parts.group.hasBlock(0));
        assertFalse(parts.group.hasBlock(2));
        assertTrue(parts.group.serves(DAEMON.id()));
        assertFalse(parts.group.serves(SECOND.id()));
    }

    @Test
    void parkedBlocksGoToADaemonThatJoins() {
        parts.plan();
        var _ = parts.members.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        parts.group.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        assertFalse(parts.group.serves(DAEMON.id()));
        parts.join(SECOND);
        parts.group.joined(turn);
        assertEquals(List.of(0, 1), parts.blocksOf(SECOND));
    }
}
