// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A spawner with a fair share and a bound of two daemons; {@link FormationTest} shows how daemons are sent on. */
class DaemonReservationsTest {
    private static final Member SELF = spawner(1);
    private static final GroupTerm TERM = new GroupTerm(1, SELF.id());
    private static final Member NINE = daemon(9);
    private static final Member TEN = daemon(10);
    private static final Member THIRD = daemon(11);

    private final DaemonReservations reservations =
            new DaemonReservations(SELF.id(), TERM, 2, 2, Duration.ofMillis(200));

    private List<Message> offer(Member daemon) {
        SpawnerTurn turn = new SpawnerTurn(0);
        reservations.register(daemon, Optional.empty(), turn);
        return messages(turn);
    }

    private boolean confirm(Member daemon) {
        return reservations.register(daemon, Optional.of(SELF.id()), new SpawnerTurn(0));
    }

    private static List<Message> registered(GroupTerm term) {
        return List.of(new RegistrationMessage.Registered(term));
    }

    @Test
    void aRepeatedOfferOrConfirmationChangesNothing() {
        assertEquals(registered(TERM), offer(NINE));
        assertEquals(registered(TERM), offer(NINE), "the answer was lost");
        assertTrue(confirm(NINE));
        long before = reservations.version();
        assertFalse(confirm(NINE));
        assertEquals(before, reservations.version());
        assertEquals(List.of(NINE), reservations.members());
    }

    @Test
    void membersAreInTheOrderOfTheNumbersInTheirNames() {
        confirm(TEN);
        confirm(NINE);
        assertEquals(List.of(NINE, TEN), reservations.members());
    }

    @Test
    void aLostDaemonLeavesItsPlaceToAnother() {
        confirm(NINE);
        confirm(TEN);
        assertEquals(List.of(), offer(THIRD), "the group is full");
        assertTrue(reservations.lost(NINE.id()));
        assertFalse(reservations.lost(NINE.id()));
        assertEquals(registered(TERM), offer(THIRD));
    }

    @Test
    void aPlaceThatADaemonDoesNotTakeIsGivenToAnother() {
        offer(NINE);
        confirm(TEN);
        assertEquals(Set.of(NINE.id()), reservations.offered());
        reservations.tick(Duration.ofMillis(3_999).toNanos());
        assertEquals(List.of(), offer(THIRD), "the place is kept");
        reservations.tick(Duration.ofSeconds(4).toNanos());
        assertEquals(Set.of(), reservations.offered());
        assertFalse(reservations.lost(NINE.id()), "nobody of the group");
        assertEquals(registered(TERM), offer(THIRD));
    }

    @Test
    void noDaemonIsSentToALostSpawner() {
        reservations.found(List.of(SELF, spawner(2), spawner(3)));
        reservations.spawnerLost(spawner(2).id());
        confirm(NINE);
        confirm(TEN);
        assertEquals(List.of(new RegistrationMessage.RegisterElsewhere(spawner(3))), offer(THIRD));
    }

    @Test
    void anAnswerNamesTheNewestTerm() {
        GroupTerm next = new GroupTerm(2, SELF.id());
        reservations.updateTerm(next);
        assertEquals(registered(next), offer(NINE));
    }
}
