// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.spawner;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.membership.SpawnerMonitor;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.RegistrationMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spawner 2 leads. */
class SpawnerFailureDetectionTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final SpawnerFailureDetection detection = new SpawnerFailureDetection(
            SELF, parts.spawners, parts.evicted, parts.leadership, parts.members, new SpawnerMonitor(SELF, CONFIG, 7));
    private final SpawnerTurn turn = new SpawnerTurn(0);

    SpawnerFailureDetectionTest() {
        parts.elect(OTHER);
    }

    @Test
    void aDeadSpawnerIsForgottenAndEvicted() {
        detection.lost(OTHER.id(), turn);
        assertFalse(parts.spawners.has(OTHER.id()));
        assertEquals(List.of(new RegistrationMessage.Evicted()), messagesTo(OTHER.id(), turn));
        assertTrue(detection.hasLostAny());
    }

    @Test
    void ifItLedAnotherLeaderIsElected() {
        detection.lost(OTHER.id(), turn);
        assertTrue(turn.actions().contains(new SpawnerAction.ReadArbiter()));
    }

    @Test
    void aSpawnerThatIsUnknownAndDoesNotLeadIsNoLoss() {
        detection.lost(spawner(3).id(), turn);
        detection.lost(SELF.id(), turn);
        assertFalse(detection.hasLostAny());
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void anOrphanIsBelievedIfItsSpawnerIsSilentHereToo() {
        long silent = CONFIG.watch().timeout().toNanos();
        RegistrationMessage.SpawnerLost orphan = new RegistrationMessage.SpawnerLost(DAEMON, OTHER.id());
        detection.observe(new SpawnerEvent.Received(OTHER.id(), new MembershipMessage.MemberListAck(1)), turn);
        detection.orphaned(orphan, turn);
        assertTrue(parts.spawners.has(OTHER.id()), "it sent a message just now");
        detection.orphaned(orphan, new SpawnerTurn(silent));
        assertFalse(parts.spawners.has(OTHER.id()));
    }

    @Test
    void aMemberListFromASpawnerAddsItsMembers() {
        MembershipMessage list =
                new MembershipMessage.MemberListUpdate(1, OTHER.id(), List.of(SELF, OTHER, spawner(3)));
        detection.received(DAEMON.id(), list, turn);
        assertFalse(parts.spawners.has(spawner(3).id()), "its sender is no spawner");
        detection.received(OTHER.id(), list, turn);
        assertTrue(parts.spawners.has(spawner(3).id()));
    }
}
