package dev.volary.protocol.formation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Address;
import dev.volary.protocol.ArbiterRecord;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import dev.volary.protocol.log.LogCopy;
import dev.volary.protocol.log.LogRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormationTest {
    private static final Duration RETRY = Duration.ofMillis(1);

    private static Member member(Role role, long id, long memory) {
        return new Member(new NodeId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, memory);
    }

    /** Blocks in a chain, each of 10 bytes. */
    private static JobShape chain(double... work) {
        List<JobShape.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < work.length; b++) {
            List<Integer> neighbours = new ArrayList<>();
            if (b > 0) {
                neighbours.add(b - 1);
            }
            if (b < work.length - 1) {
                neighbours.add(b + 1);
            }
            blocks.add(new JobShape.BlockShape(neighbours, neighbours, 10, work[b]));
        }
        return new JobShape(blocks);
    }

    private static List<Integer> range(int blocks) {
        return IntStream.range(0, blocks).boxed().toList();
    }

    private static List<Member> daemons(long... memory) {
        List<Member> daemons = new ArrayList<>();
        for (int d = 0; d < memory.length; d++) {
            daemons.add(member(Role.DAEMON, 100 + d, memory[d]));
        }
        return daemons;
    }

    @Test
    void consecutiveBlocksAreSharedByWork() {
        assertEquals(
                Optional.of(List.of(List.of(0), List.of(1, 2, 3))),
                Sharing.of(chain(3, 1, 1, 1), range(4), daemons(100, 100)));
    }

    @Test
    void everyDaemonGetsABlockWhereThereAreEnough() {
        Optional<List<List<Integer>>> shares = Sharing.of(chain(1, 1, 1, 1, 1), range(5), daemons(99, 99, 99, 99));
        assertTrue(shares.orElseThrow().stream().noneMatch(List::isEmpty), shares::toString);
    }

    @Test
    void memoryBoundsAShare() {
        assertEquals(
                Optional.of(List.of(List.of(0), List.of(1, 2, 3))),
                Sharing.of(chain(1, 1, 1, 1), range(4), daemons(10, 30)));
        assertEquals(Optional.empty(), Sharing.of(chain(1, 1, 1, 1), range(4), daemons(10, 20)));
    }

    private static Message.GroupReport report(long spawner, Member... daemons) {
        return new Message.GroupReport(member(Role.SPAWNER, spawner, 0), List.of(daemons), List.of());
    }

    private static Planning planning() {
        return new Planning(chain(1, 1, 1, 1), new Planning.Quorum(4, 3, 2, Duration.ofNanos(1000)), RETRY, 1, 0);
    }

    @Test
    void theLeadPlansAsSoonAsAllAreThere() {
        Planning planning = planning();
        List<Member> d = daemons(99, 99, 99, 99);
        planning.report(report(1, d.get(0)));
        planning.report(report(2, d.get(1), d.get(2), d.get(3)));
        Actions out = new Actions();
        assertEquals(Optional.empty(), planning.tick(out, 10));
        assertEquals(
                List.of(List.of(0), List.of(1, 2, 3)),
                planning.plan().orElseThrow().groups().stream()
                        .map(Message.GroupPlan::blocks)
                        .toList());
    }

    @Test
    void theMinimumIsEnoughOnceTheTimeIsUp() {
        Planning planning = planning();
        List<Member> d = daemons(99, 99, 99);
        planning.report(report(1, d.get(0), d.get(1), d.get(2)));
        planning.tick(new Actions(), 999);
        assertEquals(Optional.empty(), planning.plan());
        planning.tick(new Actions(), 1000);
        assertTrue(planning.plan().isPresent());
    }

    @Test
    void tooFewDaemonsEndTheJobWithTheNumbers() {
        Planning planning = planning();
        planning.report(report(1, daemons(99, 99).toArray(new Member[0])));
        String reason = planning.tick(new Actions(), 1000).orElseThrow();
        assertTrue(reason.startsWith("2 of 4 daemons and 1 of 2 spawners registered"), reason);
    }

    @Test
    void aPlanIsRepeatedUntilItsGroupMakesProgress() {
        Planning planning = planning();
        List<Member> d = daemons(99, 99, 99, 99);
        planning.report(report(1, d.get(0), d.get(1)));
        planning.report(report(2, d.get(2), d.get(3)));
        planning.tick(new Actions(), 0);
        planning.announce(new Actions(), 0);
        planning.progress(new NodeId(1));
        Actions again = new Actions();
        planning.tick(again, RETRY.toNanos());
        assertEquals(
                List.of(new NodeId(2)),
                again.list().stream().map(a -> ((Action.Send) a).to()).toList());
    }

    @Test
    void aFullGroupSendsDaemonsOnAndTakesNoMoreThanItsBound() {
        Member self = member(Role.SPAWNER, 1, 0);
        Member other = member(Role.SPAWNER, 2, 0);
        Reservations group = new Reservations(self.id(), new GroupTerm(1, self.id()), 1, 2);
        group.found(List.of(self, other));
        List<Member> d = daemons(9, 9, 9);
        Actions out = new Actions();
        join(group, self, d.get(0), out);
        group.register(d.get(1), Optional.empty(), out);
        assertEquals(new Message.TryElsewhere(other), ((Action.Send) out.list().getLast()).message());
        join(group, self, d.get(1), out); // it came back, and there is room below the bound
        group.register(d.get(2), Optional.empty(), out);
        group.register(d.get(2), Optional.empty(), out);
        assertEquals(2, group.members().size());
    }

    @Test
    void aDaemonThatChoseAnotherSpawnerIsNeitherCountedNorKept() {
        Member self = member(Role.SPAWNER, 1, 0);
        Member other = member(Role.SPAWNER, 2, 0);
        Reservations group = new Reservations(self.id(), new GroupTerm(1, self.id()), 1, 1);
        group.found(List.of(self, other));
        List<Member> d = daemons(9, 9);
        Actions out = new Actions();
        group.register(d.get(0), Optional.empty(), out);
        assertEquals(List.of(), group.members(), "reserved, not yet confirmed");
        group.register(d.get(0), Optional.of(other.id()), out);
        assertEquals(List.of(), group.members());
        join(group, self, d.get(1), out); // the place is free again
    }

    @Test
    void aGroupWithAStandbySendsTheNextOneOnFirst() {
        Member self = member(Role.SPAWNER, 1, 0);
        Member other = member(Role.SPAWNER, 2, 0);
        List<Member> d = daemons(9, 9, 9);
        Member busy = d.get(0);
        Member first = d.get(1);
        Member second = d.get(2);
        Reservations group = new Reservations(self.id(), new GroupTerm(1, self.id()), 1, 32);
        group.found(List.of(self, other));
        join(group, self, busy, new Actions());
        group.planned(busy.id()::equals);
        Actions out = new Actions();
        join(group, self, first, out);
        group.register(second, Optional.empty(), out);
        assertEquals(new Message.TryElsewhere(other), ((Action.Send) out.list().getLast()).message());
        join(group, self, second, out);
        assertEquals(List.of(busy, first, second), group.members(), "the other one has a standby too");
    }

    private static void join(Reservations group, Member self, Member daemon, Actions out) {
        group.register(daemon, Optional.empty(), out);
        assertInstanceOf(Message.Registered.class, ((Action.Send) out.list().getLast()).message());
        assertTrue(group.register(daemon, Optional.of(self.id()), out));
    }

    @Test
    void theFirstCompareAndSetLeads() {
        Member one = member(Role.SPAWNER, 1, 0);
        Member two = member(Role.SPAWNER, 2, 0);
        Election a = new Election(one.id(), RETRY, RETRY, new LogCopy(LogRules.standard()));
        Election b = new Election(two.id(), RETRY, RETRY, new LogCopy(LogRules.standard()));
        Actions out = new Actions();
        a.found(List.of(one, two), out, 0);
        a.answered(ArbiterRecord.EMPTY, out, 1);
        ArbiterRecord taken = ((Action.CompareAndSet) out.list().getLast()).next();
        assertEquals(List.of(one.id(), two.id()), taken.logMembers());
        b.found(List.of(one, two), new Actions(), 0);
        b.answered(taken, new Actions(), 2);
        a.answered(taken, new Actions(), 2);
        assertTrue(a.leads());
        assertEquals(Optional.of(one.id()), b.lead());
    }

    @Test
    void aDaemonHearsOnlyOfItsBlocksNeighbours() {
        JobShape shape = chain(1, 1, 1, 1, 1, 1);
        Member spawner = member(Role.SPAWNER, 1, 0);
        Message.GroupPlan own = new Message.GroupPlan(new GroupTerm(1, spawner.id()), spawner, range(6), 3);
        List<Member> d = daemons(99, 99, 99);
        Actions out = new Actions();
        new Assignments(shape, RETRY, new Register(), own.term()).share(own, d, out, 0);
        List<List<Integer>> heard = new ArrayList<>(Collections.nCopies(3, List.of()));
        for (Action action : out.list()) {
            if (action instanceof Action.Send send && send.message() instanceof Message.RegisterUpdate update) {
                heard.set(
                        (int) (send.to().value() - 100),
                        update.entries().stream().map(e -> e.block()).toList());
            }
        }
        assertEquals(List.of(List.of(2), List.of(1, 4), List.of(3)), heard);
    }
}
