// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Daemon 11 has blocks 0 and 1 of a chain of four, daemon 12 has block 2; spawner 2 owns block 3. */
class DirectoryPublisherTest {
    private static final GroupTerm TERM = new GroupTerm(1, spawner(1).id());
    private static final Member OTHER = spawner(2);
    private static final Member FIRST = daemon(11);
    private static final Member SECOND = daemon(12);
    private static final Member THIRD = daemon(13);
    private static final BlockAssignment ONE = serves(FIRST, 1, incarnation(1, 1));
    private static final BlockAssignment TWO = serves(SECOND, 2, incarnation(1, 1));
    private static final BlockAssignment TWO_MOVED = serves(THIRD, 2, incarnation(1, 2));

    private final BlockDirectory directory = new BlockDirectory();
    private final DirectoryPublisher publisher = new DirectoryPublisher(chain(4), directory);

    DirectoryPublisherTest() {
        directory.merge(serves(FIRST, 0, incarnation(1, 1)));
        directory.merge(ONE);
        directory.merge(TWO);
        publisher.setOtherGroups(Map.of(OTHER.id(), Set.of(3)));
    }

    private SpawnerTurn publish() {
        TreeMap<WorkerId, List<BlockAssignment>> assigned = new TreeMap<>();
        assigned.put(FIRST.id(), List.of(serves(FIRST, 0, incarnation(1, 1)), ONE));
        assigned.put(SECOND.id(), List.of(TWO));
        SpawnerTurn turn = new SpawnerTurn(0);
        publisher.publish(TERM, List.of(0, 1, 2), assigned, turn);
        return turn;
    }

    private SpawnerTurn repeat() {
        SpawnerTurn turn = new SpawnerTurn(0);
        publisher.repeat(turn);
        return turn;
    }

    private static Message update(long version, BlockAssignment... entries) {
        return new BlockMessage.DirectoryUpdate(version, List.of(entries));
    }

    @Test
    void aDaemonReceivesTheNeighborsOfItsBlocks() {
        SpawnerTurn turn = publish();
        assertEquals(List.of(update(1, TWO)), messagesTo(FIRST.id(), turn));
        assertEquals(List.of(update(1, ONE)), messagesTo(SECOND.id(), turn), "block 3 is unknown here");
    }

    @Test
    void theOwnerOfAnotherGroupReceivesTheBlocksNextToItsOwn() {
        assertEquals(List.of(update(1, TWO)), messagesTo(OTHER.id(), publish()));
    }

    @Test
    void onlyReceiversWhoseEntriesHaveChangedReceiveAnUpdate() {
        publish();
        assertEquals(List.of(), receivers(publish()));
        directory.merge(TWO_MOVED);
        SpawnerTurn turn = publish();
        assertEquals(List.of(FIRST.id(), OTHER.id()), receivers(turn));
        assertEquals(List.of(update(2, TWO_MOVED)), messagesTo(FIRST.id(), turn));
    }

    @Test
    void anUpdateIsRepeatedUntilItsVersionIsAcknowledged() {
        publish();
        directory.merge(TWO_MOVED);
        publish();
        publisher.acknowledged(FIRST.id(), 1);
        publisher.acknowledged(SECOND.id(), 1);
        publisher.acknowledged(OTHER.id(), 2);
        assertEquals(List.of(FIRST.id()), receivers(repeat()));
        assertFalse(publisher.isAcknowledged());
        publisher.acknowledged(FIRST.id(), 2);
        assertTrue(publisher.isAcknowledged());
        assertEquals(List.of(), receivers(repeat()));
    }

    @Test
    void anAcknowledgementOfAVersionThatWasNeverSentDoesNotCount() {
        publish();
        publisher.acknowledged(FIRST.id(), 5);
        directory.merge(TWO_MOVED);
        publish();
        assertTrue(receivers(repeat()).contains(FIRST.id()));
    }

    @Test
    void aReceiverThatAsksGetsItsEntriesAgain() {
        publish();
        publisher.acknowledged(FIRST.id(), 1);
        SpawnerTurn turn = new SpawnerTurn(0);
        publisher.send(FIRST.id(), turn);
        publisher.send(THIRD.id(), turn);
        assertEquals(List.of(FIRST.id()), receivers(turn));
    }

    @Test
    void aDeadDaemonAndAGroupThatIsGoneReceiveNothingMore() {
        publish();
        publisher.remove(FIRST.id());
        publisher.setOtherGroups(Map.of());
        assertEquals(List.of(SECOND.id()), receivers(repeat()));
    }

    @Test
    void aDaemonThatComesBackGetsAVersionThatItHasNotSeen() {
        publish();
        publisher.remove(FIRST.id());
        directory.merge(TWO_MOVED);
        assertEquals(List.of(update(2, TWO_MOVED)), messagesTo(FIRST.id(), publish()));
    }

    @Test
    void versionsGrowFromTermToTerm() {
        DirectoryPublisher successor = new DirectoryPublisher(chain(4), directory);
        successor.setOtherGroups(Map.of(OTHER.id(), Set.of(3)));
        SpawnerTurn turn = new SpawnerTurn(0);
        successor.publish(new GroupTerm(2, spawner(3).id()), List.of(2), Map.of(), turn);
        assertEquals(List.of(update((1L << 32) + 1, TWO)), messagesTo(OTHER.id(), turn));
    }
}
