// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.leader.LeaderElection;
import dev.volary.protocol.log.LogReplica;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormationTest {
    private static final Duration RETRY = Duration.ofMillis(1);

    private static Member member(WorkerRole role, long id, long memory) {
        return new Member(
                new WorkerId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, memory);
    }

    /** Blocks in a chain, each of 10 bytes. */
    private static JobGraph chain(double... work) {
        List<JobGraph.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < work.length; b++) {
            List<Integer> neighbors = new ArrayList<>();
            if (b > 0) {
                neighbors.add(b - 1);
            }
            if (b < work.length - 1) {
                neighbors.add(b + 1);
            }
            blocks.add(new JobGraph.BlockShape(neighbors, neighbors, 10, work[b]));
        }
        return new JobGraph(blocks);
    }

    private static List<Integer> range(int blocks) {
        return IntStream.range(0, blocks).boxed().toList();
    }

    private static List<Member> daemons(long... memory) {
        List<Member> daemons = new ArrayList<>();
        for (int d = 0; d < memory.length; d++) {
            daemons.add(member(WorkerRole.DAEMON, 100 + d, memory[d]));
        }
        return daemons;
    }

    @Test
    void consecutiveBlocksAreSharedByWork() {
        assertEquals(
                Optional.of(List.of(List.of(0), List.of(1, 2, 3))),
                BlockDistribution.of(chain(3, 1, 1, 1), range(4), daemons(100, 100)));
    }

    @Test
    void everyDaemonGetsABlockWhereThereAreEnough() {
        Optional<List<List<Integer>>> shares =
                BlockDistribution.of(chain(1, 1, 1, 1, 1), range(5), daemons(99, 99, 99, 99));
        assertTrue(shares.orElseThrow().stream().noneMatch(List::isEmpty), shares::toString);
    }

    @Test
    void memoryBoundsAShare() {
        assertEquals(
                Optional.of(List.of(List.of(0), List.of(1, 2, 3))),
                BlockDistribution.of(chain(1, 1, 1, 1), range(4), daemons(10, 30)));
        assertEquals(Optional.empty(), BlockDistribution.of(chain(1, 1, 1, 1), range(4), daemons(10, 20)));
    }

    private static ProgressMessage.GroupReport report(long spawner, Member... daemons) {
        return new ProgressMessage.GroupReport(member(WorkerRole.SPAWNER, spawner, 0), List.of(daemons), List.of());
    }

    private static JobPlanner planning() {
        return new JobPlanner(chain(1, 1, 1, 1), new JobPlanner.Quorum(4, 3, 2, Duration.ofNanos(1000)), RETRY, 1, 0);
    }

    @Test
    void theLeaderPlansAsSoonAsAllAreThere() {
        JobPlanner planning = planning();
        List<Member> d = daemons(99, 99, 99, 99);
        planning.report(report(1, d.get(0)));
        planning.report(report(2, d.get(1), d.get(2), d.get(3)));
        SpawnerTurn turn = new SpawnerTurn(10);
        assertEquals(Optional.empty(), planning.tick(turn));
        assertEquals(
                List.of(List.of(0), List.of(1, 2, 3)),
                planning.plan().orElseThrow().groups().stream()
                        .map(TakeoverMessage.GroupPlan::blocks)
                        .toList());
    }

    @Test
    void theMinimumIsEnoughOnceTheTimeIsUp() {
        JobPlanner planning = planning();
        List<Member> d = daemons(99, 99, 99);
        planning.report(report(1, d.get(0), d.get(1), d.get(2)));
        planning.tick(new SpawnerTurn(999));
        assertEquals(Optional.empty(), planning.plan());
        planning.tick(new SpawnerTurn(1000));
        assertTrue(planning.plan().isPresent());
    }

    @Test
    void tooFewDaemonsEndTheJobWithTheNumbers() {
        JobPlanner planning = planning();
        planning.report(report(1, daemons(99, 99).toArray(new Member[0])));
        String reason = planning.tick(new SpawnerTurn(1000)).orElseThrow();
        assertTrue(reason.startsWith("2 of 4 daemons and 1 of 2 spawners registered"), reason);
    }

    @Test
    void aPlanIsRepeatedUntilItsGroupMakesProgress() {
        JobPlanner planning = planning();
        List<Member> d = daemons(99, 99, 99, 99);
        planning.report(report(1, d.get(0), d.get(1)));
        planning.report(report(2, d.get(2), d.get(3)));
        planning.tick(new SpawnerTurn(0));
        planning.announce(new SpawnerTurn(0));
        planning.progress(new WorkerId(1));
        SpawnerTurn again = new SpawnerTurn(RETRY.toNanos());
        planning.tick(again);
        assertEquals(
                List.of(new WorkerId(2)),
                again.actions().stream().map(a -> ((WorkerAction.Send) a).to()).toList());
    }

    @Test
    void aFullGroupSendsDaemonsOnAndTakesNoMoreThanItsBound() {
        Member self = member(WorkerRole.SPAWNER, 1, 0);
        Member other = member(WorkerRole.SPAWNER, 2, 0);
        DaemonReservations group = new DaemonReservations(self.id(), new GroupTerm(1, self.id()), 1, 2, RETRY);
        group.found(List.of(self, other));
        List<Member> d = daemons(9, 9, 9);
        SpawnerTurn turn = new SpawnerTurn(0);
        join(group, self, d.get(0), turn);
        group.register(d.get(1), Optional.empty(), turn);
        assertEquals(
                new RegistrationMessage.RegisterElsewhere(other),
                ((WorkerAction.Send) turn.actions().getLast()).message());
        group.register(d.get(1), Optional.empty(), turn); // the same offer, sent again before the answer
        assertEquals(
                1,
                turn.actions().stream()
                        .filter(action -> action instanceof WorkerAction.Send send
                                && send.message() instanceof RegistrationMessage.RegisterElsewhere)
                        .count(),
                "neither a place nor a second answer");
        turn = new SpawnerTurn(RETRY.toNanos());
        join(group, self, d.get(1), turn); // it came back, and there is room below the bound
        group.register(d.get(2), Optional.empty(), turn);
        group.register(d.get(2), Optional.empty(), turn);
        assertEquals(2, group.members().size());
    }

    @Test
    void aDaemonThatChoseAnotherSpawnerIsNeitherCountedNorKept() {
        Member self = member(WorkerRole.SPAWNER, 1, 0);
        Member other = member(WorkerRole.SPAWNER, 2, 0);
        DaemonReservations group = new DaemonReservations(self.id(), new GroupTerm(1, self.id()), 1, 1, RETRY);
        group.found(List.of(self, other));
        List<Member> d = daemons(9, 9);
        SpawnerTurn turn = new SpawnerTurn(0);
        group.register(d.get(0), Optional.empty(), turn);
        assertEquals(List.of(), group.members(), "reserved, not yet confirmed");
        group.register(d.get(0), Optional.of(other.id()), turn);
        assertEquals(List.of(), group.members());
        join(group, self, d.get(1), turn); // the place is free again
    }

    @Test
    void aGroupWithAStandbySendsTheNextOneOnFirst() {
        Member self = member(WorkerRole.SPAWNER, 1, 0);
        Member other = member(WorkerRole.SPAWNER, 2, 0);
        List<Member> d = daemons(9, 9, 9);
        Member busy = d.get(0);
        Member first = d.get(1);
        Member second = d.get(2);
        DaemonReservations group = new DaemonReservations(self.id(), new GroupTerm(1, self.id()), 1, 32, RETRY);
        group.found(List.of(self, other));
        join(group, self, busy, new SpawnerTurn(0));
        group.planned(busy.id()::equals);
        SpawnerTurn turn = new SpawnerTurn(0);
        join(group, self, first, turn);
        group.register(second, Optional.empty(), turn);
        assertEquals(
                new RegistrationMessage.RegisterElsewhere(other),
                ((WorkerAction.Send) turn.actions().getLast()).message());
        join(group, self, second, new SpawnerTurn(RETRY.toNanos()));
        assertEquals(List.of(busy, first, second), group.members(), "the other one has a standby too");
    }

    @Test
    void aSpawnerThatDoesNotKnowTheOthersYetTakesNoMoreThanItsShare() {
        Member self = member(WorkerRole.SPAWNER, 1, 0);
        Member other = member(WorkerRole.SPAWNER, 2, 0);
        List<Member> d = daemons(9, 9);
        DaemonReservations group = new DaemonReservations(self.id(), new GroupTerm(1, self.id()), 1, 32, RETRY);
        join(group, self, d.get(0), new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(10);
        group.register(d.get(1), Optional.empty(), turn);
        assertTrue(turn.actions().stream().noneMatch(WorkerAction.Send.class::isInstance), "the daemon asks again");
        group.found(List.of(self, other));
        group.register(d.get(1), Optional.empty(), turn);
        assertEquals(
                new RegistrationMessage.RegisterElsewhere(other),
                ((WorkerAction.Send) turn.actions().getLast()).message());
    }

    private static void join(DaemonReservations group, Member self, Member daemon, SpawnerTurn turn) {
        group.register(daemon, Optional.empty(), turn);
        assertInstanceOf(
                RegistrationMessage.Registered.class,
                ((WorkerAction.Send) turn.actions().getLast()).message());
        assertTrue(group.register(daemon, Optional.of(self.id()), turn));
    }

    @Test
    void theFirstCompareAndSetLeads() {
        Member one = member(WorkerRole.SPAWNER, 1, 0);
        Member two = member(WorkerRole.SPAWNER, 2, 0);
        LeaderElection a = new LeaderElection(one.id(), RETRY, RETRY, new LogReplica());
        LeaderElection b = new LeaderElection(two.id(), RETRY, RETRY, new LogReplica());
        a.found(List.of(one, two), new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(1);
        a.answered(LeaderElectionRecord.EMPTY, turn);
        LeaderElectionRecord taken =
                ((SpawnerAction.CompareAndSet) turn.actions().getLast()).next();
        assertEquals(List.of(one.id(), two.id()), taken.logMembers());
        b.found(List.of(one, two), new SpawnerTurn(0));
        b.answered(taken, new SpawnerTurn(2));
        a.answered(taken, new SpawnerTurn(2));
        assertTrue(a.leads());
        assertEquals(Optional.of(one.id()), b.leader());
    }

    @Test
    void aDaemonReceivesOnlyEntriesOfNeighboringBlocks() {
        JobGraph shape = chain(1, 1, 1, 1, 1, 1);
        Member spawner = member(WorkerRole.SPAWNER, 1, 0);
        TakeoverMessage.GroupPlan own =
                new TakeoverMessage.GroupPlan(new GroupTerm(1, spawner.id()), spawner, range(6), 3);
        List<Member> d = daemons(99, 99, 99);
        SpawnerTurn turn = new SpawnerTurn(0);
        new BlockAssignments(shape, RETRY, new BlockDirectory(), own.term()).assignFirst(own, d, turn);
        List<List<Integer>> received = new ArrayList<>(Collections.nCopies(3, List.of()));
        for (SpawnerAction action : turn.actions()) {
            if (action instanceof WorkerAction.Send send
                    && send.message() instanceof BlockMessage.DirectoryUpdate update) {
                received.set(
                        (int) (send.to().value() - 100),
                        update.entries().stream().map(e -> e.block()).toList());
            }
        }
        assertEquals(List.of(List.of(2), List.of(1, 4), List.of(3)), received);
    }
}
