// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.NEIGHBOR;
import static dev.volary.protocol.daemon.DaemonParts.OWNER;
import static dev.volary.protocol.daemon.DaemonParts.SECOND;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static dev.volary.protocol.daemon.DaemonParts.THIRD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.Incarnation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Block 0 is open on this daemon; daemon 12 serves the second incarnation of block 1. */
class NeighborDaemonsTest {
    private final DaemonParts parts = new DaemonParts();

    NeighborDaemonsTest() {
        parts.open(0, FIRST, 0);
        parts.update(NEIGHBOR, 1, SECOND);
    }

    private DaemonTurn receive(BlockMessage.Neighbor message) {
        DaemonTurn turn = new DaemonTurn(0);
        parts.neighbors.received(NEIGHBOR.id(), message, Optional.of(OWNER.id()), turn);
        return turn;
    }

    private DaemonTurn greet(int from, Incarnation incarnation, int to) {
        return receive(new BlockMessage.BlockHello(from, incarnation, to));
    }

    @Test
    void aGreetingIsAnsweredWithTheNewestHalo() {
        DaemonTurn turn = greet(1, SECOND, 0);
        assertEquals(List.of(new DaemonAction.PublishHalo(0, 1)), turn.actions());
        assertEquals(0, parts.fetcher.entries());
    }

    @Test
    void aGreetingOfAStaleIncarnationIsFencedAndGetsNoHalo() {
        DaemonTurn turn = greet(1, FIRST, 0);
        assertEquals(List.of(new BlockMessage.StaleIncarnation(1, SECOND)), messagesTo(NEIGHBOR.id(), turn));
        assertEquals(1, turn.actions().size(), turn.actions()::toString);
    }

    @Test
    void aGreetingOfANewerIncarnationIsLookedUp() {
        greet(1, THIRD, 0);
        assertEquals(1, parts.fetcher.entries());
    }

    @Test
    void aGreetingForABlockThatIsServedElsewhereIsAnsweredWithItsPlace() {
        DaemonTurn turn = greet(2, FIRST, 1);
        assertEquals(
                List.of(new BlockMessage.BlockMoved(serves(NEIGHBOR, 1, SECOND))), messagesTo(NEIGHBOR.id(), turn));
    }

    @Test
    void aGreetingForABlockOfUnknownPlaceIsNotAnswered() {
        assertEquals(List.of(), greet(1, SECOND, 2).actions());
    }

    @Test
    void thePlaceOfAMovedBlockIsTakenIntoTheDirectory() {
        receive(new BlockMessage.BlockMoved(serves(NEIGHBOR, 0, SECOND)));
        assertFalse(parts.served.lifecycle().has(0));
    }

    @Test
    void anOverdueHaloIsRequestedFromItsDaemon() {
        DaemonTurn turn = new DaemonTurn(0);
        parts.neighbors.haloOverdue(new DaemonEvent.HaloOverdue(1, 0, 2, 30), turn);
        assertEquals(List.of(new BlockMessage.HaloRequest(1, 0, 2, 30)), messagesTo(NEIGHBOR.id(), turn));
    }

    @Test
    void anOverdueHaloOfThisDaemonIsSentAgain() {
        DaemonTurn turn = new DaemonTurn(0);
        parts.neighbors.haloOverdue(new DaemonEvent.HaloOverdue(0, 1, 2, 30), turn);
        assertEquals(List.of(new DaemonAction.ResendHalo(0, 1, 2, 30)), turn.actions());
    }

    @Test
    void anOverdueHaloOfABlockThatWasTakenAwayIsNotRequestedFromThisDaemon() {
        parts.directory.merge(serves(SELF, 2, FIRST));
        DaemonTurn turn = new DaemonTurn(0);
        parts.neighbors.haloOverdue(new DaemonEvent.HaloOverdue(2, 0, 2, 30), turn);
        assertEquals(List.of(), turn.actions());
    }

    @Test
    void onlyTheDaemonOfABlockAnswersARequestForItsHalo() {
        DaemonTurn own = receive(new BlockMessage.HaloRequest(0, 1, 2, 30));
        assertEquals(List.of(new DaemonAction.ResendHalo(0, 1, 2, 30)), own.actions());
        assertEquals(
                List.of(), receive(new BlockMessage.HaloRequest(2, 1, 2, 30)).actions());
        assertEquals(List.of(), messages(own));
    }
}
