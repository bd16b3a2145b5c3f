// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.spawner;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpawnerLeadershipTest {
    private static final BlockMessage.BlockFailed FAILURE =
            new BlockMessage.BlockFailed(0, incarnation(1, 1), "diverged", true);

    private final SpawnerParts parts = new SpawnerParts();
    private final SpawnerLeadership leadership = parts.leadership;
    private final SpawnerTurn turn = new SpawnerTurn(0);

    @Test
    void aLeaderIsReachableOnceItIsDiscovered() {
        parts.elect(spawner(3));
        assertTrue(leadership.isLeader(spawner(3).id()));
        assertEquals(Optional.empty(), leadership.reachableLeader());
        parts.spawners.add(spawner(3), turn);
        assertEquals(Optional.of(spawner(3).id()), leadership.reachableLeader());
    }

    @Test
    void anotherLeaderGetsOnlyWhatIsForwarded() {
        parts.elect(OTHER);
        leadership.received(DAEMON.id(), FAILURE, turn);
        assertEquals(List.of(), turn.actions());
        leadership.forward(DAEMON.id(), FAILURE, turn);
        assertEquals(List.of(FAILURE), messagesTo(OTHER.id(), turn));
    }

    @Test
    void theSpawnerThatWonLeads() {
        parts.elect(SELF);
        assertTrue(leadership.leads());
        assertEquals(Optional.of(SELF.id()), leadership.reachableLeader());
        leadership.forward(DAEMON.id(), FAILURE, turn);
        assertEquals(List.of(), messagesTo(SELF.id(), turn), "it handles the failure itself");
    }

    @Test
    void aRecordOfTheSameTermIsNoNews() {
        LeaderElectionRecord record = new LeaderElectionRecord(Optional.of(OTHER.id()), 1, List.of(OTHER.id()));
        assertTrue(leadership.answered(record, turn));
        assertFalse(leadership.answered(record, turn));
        assertEquals(1, leadership.term());
    }

    @Test
    void aLostLeaderIsReplaced() {
        parts.elect(OTHER);
        leadership.lost(OTHER.id(), turn);
        assertTrue(turn.actions().contains(new SpawnerAction.ReadArbiter()));
    }
}
