// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spawner 1 owns the blocks 0 and 1, spawner 2 the blocks 2 and 3. */
class GroupTakeoverTest {
    private static final GroupTerm NEXT = new GroupTerm(2, SELF.id());

    private final SpawnerParts parts = new SpawnerParts();
    private final DirectoryReplicas replicas = new DirectoryReplicas(CONFIG.retry());
    private final GroupTakeover takeover = new GroupTakeover(
            SELF, parts.group, parts.ownership, replicas, parts.spawners, parts.leadership, parts.reporter);
    private final SpawnerTurn turn = new SpawnerTurn(0);

    private void otherDies() {
        TakeoverMessage.DirectoryReplica replica = new TakeoverMessage.DirectoryReplica(
                new GroupTerm(1, OTHER.id()),
                1,
                List.of(2, 3),
                List.of(Samples.serves(SECOND, 2, incarnation(2, 1)), Samples.serves(SECOND, 3, incarnation(2, 1))),
                List.of(SECOND));
        replicas.copy(OTHER.id(), replica, new SpawnerTurn(0));
        assertEquals(Optional.of(OTHER), parts.spawners.remove(OTHER.id()));
    }

    private boolean hasEmittedTakeover(Integer... blocks) {
        return turn.actions()
                .contains(new SpawnerAction.EmitEvent(new JobEvent.GroupTakenOver(SELF.id(), 2, List.of(blocks))));
    }

    @Test
    void theSuccessorTakesOverBlocksAndDaemonsOfADeadOwner() {
        parts.plan();
        otherDies();
        takeover.tick(turn);
        assertEquals(List.of(0, 1, 2, 3), parts.blocks());
        assertEquals(List.of(2, 3), parts.blocksOf(SECOND), "they are computed there already");
        assertTrue(hasEmittedTakeover(2, 3), turn.actions().toString());
        assertEquals(Optional.of(SELF), parts.ownership.owners().ownerOf(3));
    }

    @Test
    void beforeThePlanNothingIsTakenOver() {
        otherDies();
        takeover.tick(turn);
        assertFalse(parts.group.isPlanned());
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void blocksThatAnotherSpawnerClaimsAreCeded() {
        parts.plan();
        GroupTerm theirs = new GroupTerm(2, OTHER.id());
        takeover.claimed(OTHER.id(), new TakeoverMessage.OwnershipClaim(theirs, OTHER, List.of(1, 2, 3)), turn);
        assertEquals(List.of(0), parts.blocks());
        assertTrue(messages(turn).contains(new TakeoverMessage.OwnershipClaimAck(theirs)));
    }

    @Test
    void aStandbyIsLentToAGroupWithoutDaemons() {
        parts.plan();
        parts.join(SECOND);
        takeover.offered(new TakeoverMessage.BlocksOffered(OTHER, List.of(2), List.of(), List.of()), turn);
        assertEquals(List.of(new RegistrationMessage.TransferDaemon(OTHER)), messagesTo(SECOND.id(), turn));
        assertEquals(List.of(0, 1), parts.blocks());
    }

    @Test
    void withoutAStandbyOfferedBlocksAreTakenIfThereIsRoom() {
        parts.plan();
        takeover.offered(new TakeoverMessage.BlocksOffered(OTHER, List.of(0, 2), List.of(), List.of()), turn);
        assertEquals(List.of(0, 1, 2), parts.blocks());
        assertTrue(hasEmittedTakeover(2), "the other spawner does not own block 0");
    }

    @Test
    void aBlockWithAnIncarnationOfADeadOwnerIsRenewed() {
        parts.plan();
        GroupTerm unknown = new GroupTerm(1, Samples.spawner(3).id());
        BlockMessage.StaleIncarnation fenced = new BlockMessage.StaleIncarnation(0, new Incarnation(unknown, 1 << 20));
        takeover.fenced(fenced, turn);
        assertEquals(NEXT, parts.group.blocks().orElseThrow().assignments().term());
        assertTrue(hasEmittedTakeover(0), turn.actions().toString());
    }
}
