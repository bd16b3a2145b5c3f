// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A daemon finds spawners 1 and 2. */
class SpawnerRegistrationTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member SELF = daemon(11);
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);

    private final SpawnerRegistration registration = new SpawnerRegistration(SELF, RETRY, 7);

    private static GroupTerm term(long n, Member owner) {
        return new GroupTerm(n, owner.id());
    }

    private static Message offer() {
        return new RegistrationMessage.Register(SELF, Optional.empty());
    }

    private static Message belongsTo(Member owner) {
        return new RegistrationMessage.Register(SELF, Optional.of(owner.id()));
    }

    private DaemonTurn registered(Member from) {
        DaemonTurn turn = new DaemonTurn(0);
        registration.registered(from.id(), term(1, from), turn);
        return turn;
    }

    private DaemonTurn takeover(Member from, long n) {
        DaemonTurn turn = new DaemonTurn(0);
        registration.takeover(from.id(), term(n, from), turn);
        return turn;
    }

    private DaemonTurn tick(long now) {
        DaemonTurn turn = new DaemonTurn(now);
        registration.tick(turn);
        return turn;
    }

    @Test
    void aDaemonOffersItselfToOneSpawnerAndRepeatsTheOffer() {
        DaemonTurn turn = new DaemonTurn(0);
        registration.found(List.of(ONE, TWO), turn);
        assertEquals(List.of(offer()), messages(turn));
        assertEquals(List.of(), messages(tick(RETRY.toNanos() - 1)));
        DaemonTurn due = tick(2 * RETRY.toNanos());
        assertEquals(List.of(offer()), messages(due));
        assertEquals(receivers(turn), receivers(due));
    }

    @Test
    void anOfferWithoutAnAnswerGoesToAnotherSpawnerAfterAWhile() {
        DaemonTurn turn = new DaemonTurn(0);
        registration.found(List.of(ONE, TWO), turn);
        DaemonTurn last = turn;
        for (int i = 1; i <= 10; i++) {
            last = tick(i * 2L * RETRY.toNanos());
        }
        assertFalse(receivers(turn).contains(receivers(last).getLast()));
        assertEquals(offer(), messages(last).getLast());
    }

    @Test
    void theFirstSpawnerWithAPlaceOwnsTheDaemonAndTheOthersAreNotified() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        assertEquals(List.of(belongsTo(ONE)), messagesTo(ONE.id(), registered(ONE)));
        assertEquals(List.of(belongsTo(ONE)), messagesTo(TWO.id(), registered(TWO)));
        assertEquals(Optional.of(ONE.id()), registration.owner());
    }

    @Test
    void aTakeoverOfAHigherTermIsAcceptedAndTheFormerOwnerIsNotified() {
        registered(ONE);
        DaemonTurn turn = takeover(TWO, 2);
        assertEquals(Optional.of(TWO.id()), registration.owner());
        assertEquals(List.of(belongsTo(TWO)), messagesTo(ONE.id(), turn));
        assertEquals(List.of(belongsTo(TWO)), messagesTo(TWO.id(), turn));
        assertTrue(registration.isDeposed(ONE.id()));
    }

    /** Two spawners had taken in the daemon of a dead one; then the one that prevailed died as well. */
    @Test
    void aFormerOwnerThatStillAnswersIsNotifiedWhenTheNewOneIsDead() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        registered(ONE);
        takeover(TWO, 2);
        registration.received(ONE.id(), new DaemonTurn(1));
        registration.orphaned(TWO.id(), 2);
        assertEquals(List.of(new RegistrationMessage.SpawnerLost(SELF, TWO.id())), messagesTo(ONE.id(), tick(2)));
    }

    @Test
    void aFormerOwnerThatIsSilentIsForgotten() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        registered(ONE);
        takeover(TWO, 2);
        assertFalse(registration.knows(ONE.id()));
    }

    @Test
    void aTakeoverOfALowerTermIsNotAccepted() {
        takeover(TWO, 3);
        assertEquals(List.of(belongsTo(TWO)), messages(takeover(ONE, 2)));
        assertEquals(Optional.of(TWO.id()), registration.owner());
    }

    @Test
    void onlyTheOwnerAssignsBlocks() {
        registered(ONE);
        DaemonTurn turn = new DaemonTurn(0);
        assertTrue(registration.assigned(ONE.id(), term(1, ONE), turn));
        assertEquals(List.of(), messages(turn));
        assertFalse(registration.assigned(TWO.id(), term(9, TWO), turn));
        assertEquals(List.of(belongsTo(ONE)), messagesTo(TWO.id(), turn));
    }

    @Test
    void onlyTheOwnerTransfersTheDaemon() {
        registered(ONE);
        assertFalse(registration.transfer(TWO.id(), TWO, new DaemonTurn(0)));
        assertEquals(Optional.of(ONE.id()), registration.owner());
        DaemonTurn turn = new DaemonTurn(0);
        assertTrue(registration.transfer(ONE.id(), TWO, turn));
        assertEquals(Optional.of(TWO.id()), registration.owner());
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
    }

    @Test
    void aDaemonOfALostSpawnerOffersItselfToAnother() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        registered(ONE);
        DaemonTurn turn = new DaemonTurn(0);
        registration.spawnerLost(ONE.id(), turn);
        assertEquals(Optional.empty(), registration.owner());
        assertEquals(List.of(offer()), messagesTo(TWO.id(), turn));
    }

    @Test
    void anOrphanedDaemonReportsTheLossUntilItsSpawnerSendsAgain() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        registered(ONE);
        registration.monitored();
        registration.orphaned(ONE.id(), 0);
        List<Message> report = List.of(new RegistrationMessage.SpawnerLost(SELF, ONE.id()));
        assertEquals(report, messagesTo(TWO.id(), tick(0)));
        assertEquals(List.of(), messages(tick(RETRY.toNanos() - 1)));
        assertEquals(report, messagesTo(TWO.id(), tick(RETRY.toNanos())));
        DaemonTurn received = new DaemonTurn(RETRY.toNanos());
        registration.received(ONE.id(), received);
        assertEquals(List.of(offer()), messagesTo(ONE.id(), received));
        assertEquals(List.of(), messages(tick(3 * RETRY.toNanos())));
    }

    @Test
    void theLossOfAnUnknownSpawnerIsNotReported() {
        registration.found(List.of(ONE, TWO), new DaemonTurn(0));
        registered(ONE);
        registration.monitored();
        registration.orphaned(new WorkerId(2), 0);
        assertEquals(List.of(), messages(tick(0)));
    }
}
