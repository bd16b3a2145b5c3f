// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A standby that takes a lost block over. */
class ReplacementDaemonTest {
    private static final Member SPAWNER = member(WorkerRole.SPAWNER, 1);
    private static final Member SELF = member(WorkerRole.DAEMON, 100);
    private static final Member NEIGHBOR = member(WorkerRole.DAEMON, 101);
    private static final GroupTerm TERM = new GroupTerm(1, SPAWNER.id());
    private static final Incarnation SECOND = new Incarnation(TERM, 2);
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final DaemonConfig CONFIG = DaemonConfig.of(Scheme.ASYNCHRONOUS);

    private final DaemonMachine daemon = new DaemonMachine(SELF, pair(), CONFIG, 7);

    private static Member member(WorkerRole role, long id) {
        return new Member(
                new WorkerId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, 1L << 30);
    }

    private static JobGraph pair() {
        return new JobGraph(List.of(
                new JobGraph.BlockShape(List.of(1), List.of(1), 10, 1),
                new JobGraph.BlockShape(List.of(0), List.of(0), 10, 1)));
    }

    private DaemonTurn on(DaemonEvent event, long now) {
        DaemonTurn turn = new DaemonTurn(now);
        daemon.on(event, turn);
        return turn;
    }

    private DaemonTurn receive(ToDaemon message, long now) {
        return on(new DaemonEvent.Received(SPAWNER.id(), message), now);
    }

    private DaemonTurn takeOver(OptionalLong restored) {
        var _ = on(new WorkerEvent.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = receive(new RegistrationMessage.Registered(TERM), 1);
        var _ = receive(new BlockMessage.Assign(TERM, List.of(new BlockAssignment(0, SECOND, SELF)), List.of()), 2);
        var _ = receive(
                new BlockMessage.DirectoryUpdate(
                        1, List.of(new BlockAssignment(1, new Incarnation(TERM, 1), NEIGHBOR))),
                3);
        return on(new DaemonEvent.BlockRestored(0, SECOND, restored, 0), 4);
    }

    private static long starts(DaemonTurn turn) {
        return turn.actions().stream()
                .filter(DaemonAction.StartBlock.class::isInstance)
                .count();
    }

    @Test
    void aBlockWithItsBackupWaitsForNoHalos() {
        assertEquals(1, starts(takeOver(OptionalLong.of(17))));
    }

    @Test
    void aBlockWithoutABackupWaitsForItsNeighborsHalos() {
        assertEquals(0, starts(takeOver(OptionalLong.empty())));
        assertEquals(1, starts(on(new DaemonEvent.HaloArrived(1, 0), 5)));
    }

    @Test
    void aNeighborWhoseBlockMovedIsForgotten() {
        var _ = takeOver(OptionalLong.of(17));
        DaemonAction forget = new WorkerAction.ForgetPeer(NEIGHBOR.id());
        DaemonTurn before = on(new WorkerEvent.Tick(), SECOND_NANOS);
        assertFalse(before.actions().contains(forget), before::toString);
        BlockAssignment moved = new BlockAssignment(1, SECOND, member(WorkerRole.DAEMON, 102));
        DaemonTurn after = receive(new BlockMessage.DirectoryUpdate(2, List.of(moved)), 2 * SECOND_NANOS);
        assertTrue(after.actions().contains(forget), after::toString);
    }

    @Test
    void onlyTheNewOwnerCanEvictADaemon() {
        Member successor = member(WorkerRole.SPAWNER, 2);
        var _ = ownerReplacedBy(successor);
        assertEquals(0, restarts(receive(new RegistrationMessage.Evicted(), 3)));
        DaemonTurn last = on(new DaemonEvent.Received(successor.id(), new RegistrationMessage.Evicted()), 4);
        assertEquals(1, restarts(last));
    }

    @Test
    void aReplacedOwnerIsNotifiedOfTheNewOwner() {
        Member successor = member(WorkerRole.SPAWNER, 2);
        DaemonTurn turn = ownerReplacedBy(successor);
        Message notification = new RegistrationMessage.Register(SELF, Optional.of(successor.id()));
        assertTrue(turn.actions().contains(new WorkerAction.Send(SPAWNER.id(), notification)), turn::toString);
    }

    /** The daemon belongs to {@link #SPAWNER}, and then its group is taken over. */
    private DaemonTurn ownerReplacedBy(Member successor) {
        var _ = on(new WorkerEvent.SpawnersFound(List.of(SPAWNER, successor)), 0);
        var _ = receive(new RegistrationMessage.Registered(TERM), 1);
        ToDaemon takeover = new RegistrationMessage.GroupAdopted(new GroupTerm(2, successor.id()));
        return on(new DaemonEvent.Received(successor.id(), takeover), 2);
    }

    @Test
    void aDaemonReportsTheLossOfItsOwnerOnlyOnceItKnowsAnotherSpawner() {
        Member successor = member(WorkerRole.SPAWNER, 2);
        var _ = on(new WorkerEvent.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = receive(new RegistrationMessage.Registered(TERM), 1);
        ToDaemon takeover = new RegistrationMessage.GroupAdopted(new GroupTerm(2, successor.id()));
        var _ = on(new DaemonEvent.Received(successor.id(), takeover), 2);
        DaemonTurn alone = on(new WorkerEvent.ConnectionReset(successor.id()), 3);
        assertEquals(
                List.of(),
                alone.actions().stream()
                        .filter(ReplacementDaemonTest::reportsLoss)
                        .toList());
        DaemonTurn discovered = on(new WorkerEvent.SpawnersFound(List.of(SPAWNER)), SECOND_NANOS);
        assertEquals(
                List.of(new WorkerAction.Send(SPAWNER.id(), new RegistrationMessage.SpawnerLost(SELF, successor.id()))),
                discovered.actions().stream()
                        .filter(ReplacementDaemonTest::reportsLoss)
                        .toList());
    }

    private static boolean reportsLoss(DaemonAction action) {
        return action instanceof WorkerAction.Send send && send.message() instanceof RegistrationMessage.SpawnerLost;
    }

    private static long restarts(DaemonTurn turn) {
        return turn.actions().stream()
                .filter(WorkerAction.Restart.class::isInstance)
                .count();
    }

    @Test
    void staleDataIsFencedByTheNewestReceivedIncarnation() {
        var _ = takeOver(OptionalLong.empty());
        Incarnation old = new Incarnation(TERM, 1);
        Incarnation taken = new Incarnation(TERM, 5);
        DaemonTurn turn = on(new DaemonEvent.StaleHaloArrived(1, old, taken, NEIGHBOR.id()), SECOND_NANOS);
        assertEquals(
                List.of(new WorkerAction.Send(NEIGHBOR.id(), new BlockMessage.StaleIncarnation(1, taken))),
                turn.actions().stream().filter(ReplacementDaemonTest::fences).toList());
    }

    private static boolean fences(DaemonAction action) {
        return action instanceof WorkerAction.Send send && send.message() instanceof BlockMessage.StaleIncarnation;
    }

    @Test
    void aMonitoredDaemonWithoutBlocksWarmsUpOnce() {
        var _ = on(new WorkerEvent.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = receive(new RegistrationMessage.Registered(TERM), 1);
        DaemonAction ready = new DaemonAction.WarmUp();
        DaemonTurn first = receive(new MembershipMessage.MemberListUpdate(1, SPAWNER.id(), List.of(SPAWNER, SELF)), 2);
        DaemonTurn second =
                receive(new MembershipMessage.MemberListUpdate(2, SPAWNER.id(), List.of(SPAWNER, SELF, NEIGHBOR)), 3);
        assertEquals(
                List.of(ready), first.actions().stream().filter(ready::equals).toList());
        assertEquals(List.of(), second.actions().stream().filter(ready::equals).toList());
    }
}
