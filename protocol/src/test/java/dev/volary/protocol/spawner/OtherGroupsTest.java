// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.placement.BlockOffers;
import java.util.List;
import org.junit.jupiter.api.Test;

class OtherGroupsTest {
    private final SpawnerParts parts = new SpawnerParts();
    private final OtherGroups otherGroups = new OtherGroups(
            SELF.id(),
            parts.group,
            parts.ownership.owners(),
            parts.spawners,
            new DirectoryReplicas(CONFIG.retry()),
            new BlockOffers(SELF, CONFIG.retry()));

    private List<Message> messagesToOther() {
        SpawnerTurn turn = new SpawnerTurn(0);
        otherGroups.tick(parts.group.blocks().orElseThrow(), turn);
        return messagesTo(OTHER.id(), turn);
    }

    private static boolean hasOffer(List<Message> messages) {
        return messages.stream().anyMatch(TakeoverMessage.BlocksOffered.class::isInstance);
    }

    @Test
    void theDirectoryIsReplicatedToTheNextSpawner() {
        parts.plan();
        assertTrue(messagesToOther().stream().anyMatch(TakeoverMessage.DirectoryReplica.class::isInstance));
    }

    @Test
    void blocksWithADaemonAreNotOffered() {
        parts.plan();
        assertFalse(hasOffer(messagesToOther()));
    }

    @Test
    void parkedBlocksAreOffered() {
        parts.plan();
        SpawnerTurn turn = new SpawnerTurn(0);
        var _ = parts.members.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        parts.group.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        assertTrue(hasOffer(messagesToOther()));
    }
}
