// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberListPublisherTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member OWNER = spawner(1);
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);

    private final MemberListPublisher publisher = new MemberListPublisher(OWNER.id(), RETRY);

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        publisher.tick(turn);
        return turn;
    }

    private List<WorkerId> receiversAt(long now) {
        return receivers(tick(now));
    }

    private long version() {
        return publisher.memberList().version();
    }

    @Test
    void aNewListGoesToAllMembersButItsOwner() {
        assertTrue(publisher.set(1, List.of(OWNER, ONE, TWO), 0));
        SpawnerTurn turn = tick(0);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(
                new MembershipMessage.MemberListUpdate(version(), OWNER.id(), List.of(OWNER, ONE, TWO)),
                messages(turn).getFirst());
    }

    @Test
    void theListIsRepeatedToMembersThatDidNotAcknowledgeIt() {
        publisher.set(1, List.of(OWNER, ONE, TWO), 0);
        tick(0);
        publisher.acknowledged(ONE.id(), version());
        assertEquals(List.of(), receiversAt(RETRY.toNanos() - 1));
        assertEquals(List.of(TWO.id()), receiversAt(RETRY.toNanos()));
        publisher.acknowledged(TWO.id(), version());
        SpawnerTurn later = tick(2 * RETRY.toNanos());
        assertEquals(List.of(), receivers(later));
        assertEquals(Long.MAX_VALUE, later.wakeUp());
    }

    @Test
    void anAcknowledgementOfAnOlderVersionDoesNotCount() {
        publisher.set(1, List.of(OWNER, ONE), 0);
        long older = version();
        publisher.set(1, List.of(OWNER, ONE, TWO), 0);
        publisher.acknowledged(ONE.id(), older);
        assertEquals(List.of(ONE.id(), TWO.id()), receiversAt(0));
    }

    @Test
    void theSameMembersAreNoNewVersion() {
        publisher.set(1, List.of(OWNER, ONE), 0);
        long before = version();
        assertFalse(publisher.set(1, List.of(OWNER, ONE), 0));
        assertEquals(before, version());
    }

    @Test
    void everyVersionOfALaterEpochIsNewer() {
        publisher.set(1, List.of(OWNER, ONE), 0);
        publisher.set(1, List.of(OWNER, ONE, TWO), 0);
        long before = version();
        MemberListPublisher successor = new MemberListPublisher(TWO.id(), RETRY);
        assertTrue(successor.set(2, List.of(TWO, ONE), 0));
        assertTrue(successor.memberList().version() > before);
        assertTrue(publisher.set(3, List.of(OWNER, ONE, TWO), 0), "the same members in another epoch");
        assertTrue(version() > successor.memberList().version());
    }

    @Test
    void aMemberThatForgotTheListReceivesItAgainAtOnce() {
        publisher.set(1, List.of(OWNER, ONE), 0);
        tick(0);
        publisher.acknowledged(ONE.id(), version());
        publisher.sendAgain(TWO.id(), 1);
        assertEquals(List.of(), receiversAt(1), "it is no member");
        publisher.sendAgain(ONE.id(), 1);
        assertEquals(List.of(ONE.id()), receiversAt(1));
    }
}
