// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BuddyGroupsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Member A = spawner(1, "east");
    private static final Member B = spawner(2, "east");
    private static final Member C = spawner(3, "east");
    private static final Member WEST = spawner(4, "west");

    private static Member spawner(long id, String zone) {
        return new Member(
                new WorkerId(id),
                WorkerRole.SPAWNER,
                "spawner-" + id,
                new Address("virtual", 1),
                "virtual",
                zone,
                1,
                1L << 30);
    }

    private static Member daemon(long id, String zone) {
        return new Member(
                new WorkerId(id),
                WorkerRole.DAEMON,
                "daemon-" + id,
                new Address("virtual", 1),
                "virtual",
                zone,
                1,
                1L << 30);
    }

    private static List<Member> with(Member spawner, List<Member> daemons) {
        return Stream.concat(daemons.stream(), Stream.of(spawner)).toList();
    }

    private static BackupHolder holder(long id) {
        return new BackupHolder(new WorkerId(id), "host", "east", new Address("virtual", (int) id));
    }

    @Test
    void loneGroupsFormPairsAndTheLastOfAnOddNumberJoinsOne() {
        List<Member> one = List.of(daemon(11, "east"));
        assertEquals(Optional.of(B.id()), BuddyGroups.choose(A, with(A, one), 2, List.of(B, C)));
        assertEquals(Optional.of(A.id()), BuddyGroups.choose(B, with(B, one), 2, List.of(A, C)));
        assertEquals(Optional.of(B.id()), BuddyGroups.choose(C, with(C, one), 2, List.of(A, B)));
    }

    @Test
    void groupsThatAreTooSmallForTheCopiesWithoutTheirSpawnersFormPairs() {
        List<Member> two = List.of(daemon(11, "east"), daemon(12, "east"));
        assertEquals(Optional.of(B.id()), BuddyGroups.choose(A, two, 2, List.of(B, C)), "two daemons are too few");
        assertEquals(Optional.of(A.id()), BuddyGroups.choose(B, two, 2, List.of(A, C)), "a pair has enough");
        List<Member> three = List.of(daemon(11, "east"), daemon(12, "east"), daemon(13, "east"));
        assertEquals(Optional.empty(), BuddyGroups.choose(A, three, 2, List.of(B, C)));
    }

    @Test
    void aGroupInOneZoneSharesWithOneInAnother() {
        List<Member> two = List.of(daemon(11, "east"), daemon(12, "east"));
        assertEquals(Optional.of(WEST.id()), BuddyGroups.choose(A, with(A, two), 2, List.of(B, C, WEST)));
        assertEquals(Optional.empty(), BuddyGroups.choose(A, with(A, two), 2, List.of(B, C)), "there is no other zone");
        List<Member> spread = List.of(daemon(11, "east"), daemon(12, "west"));
        assertEquals(Optional.empty(), BuddyGroups.choose(A, with(A, spread), 2, List.of(B, C, WEST)));
    }

    @Test
    void aGroupThatSharesWithOneSharesWithAllOfItsBuddies() {
        BuddyGroups a = new BuddyGroups(A);
        BuddyGroups b = new BuddyGroups(B);
        BuddyGroups c = new BuddyGroups(C);
        List<BackupHolder> ofA = List.of(holder(11));
        List<BackupHolder> ofB = List.of(holder(12));
        SpawnerTurn asked = asks(a, ofA, List.of(B));
        SpawnerTurn answered = new SpawnerTurn(0);
        assertTrue(b.received(A.id(), sent(asked, B), ofB, answered));
        assertTrue(a.received(B.id(), sent(answered, A), ofA, new SpawnerTurn(0)));
        SpawnerTurn passedOn = new SpawnerTurn(0);
        assertTrue(b.received(C.id(), sent(asks(c, List.of(holder(13)), List.of(B)), B), ofB, passedOn));
        assertTrue(a.received(B.id(), sent(passedOn, A), ofA, new SpawnerTurn(0)));
        assertTrue(c.received(B.id(), sent(passedOn, C), List.of(holder(13)), new SpawnerTurn(0)));
        assertEquals(List.of(holder(12), holder(13)), a.holders());
        assertEquals(List.of(holder(11), holder(12)), c.holders());
    }

    @Test
    void aGroupWhoseListDoesNotArriveForAWhileIsForgotten() {
        BuddyGroups a = new BuddyGroups(A);
        SpawnerTurn asked = asks(a, List.of(holder(11)), List.of(B));
        BackupMessage.GroupHolders group = new BackupMessage.GroupHolders(B.id(), 1, List.of(holder(12)));
        assertTrue(a.received(B.id(), new BackupMessage.BuddyHolders(false, List.of(group)), List.of(), asked));
        assertTrue(a.tick(
                List.of(holder(11)), with(A, List.of(daemon(11, "east"))), 2, List::of, new SpawnerTurn(15 * SECOND)));
        assertEquals(List.of(), a.holders());
    }

    private static SpawnerTurn asks(BuddyGroups groups, List<BackupHolder> own, List<Member> others) {
        Supplier<Collection<Member>> there = () -> others;
        SpawnerTurn turn = new SpawnerTurn(0);
        boolean ignored = groups.tick(own, with(A, List.of(daemon(11, "east"))), 2, there, turn);
        return turn;
    }

    private static BackupMessage.BuddyHolders sent(SpawnerTurn turn, Member to) {
        return turn.actions().stream()
                .map(WorkerAction.Send.class::cast)
                .filter(send -> send.to().equals(to.id()))
                .map(send -> (BackupMessage.BuddyHolders) send.message())
                .findFirst()
                .orElseThrow();
    }
}
