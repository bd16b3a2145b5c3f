package dev.volary.protocol.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Address;
import dev.volary.protocol.Event;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import dev.volary.protocol.Role;
import dev.volary.protocol.Scheme;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A standby that takes a lost block over. */
class ReplacementDaemonTest {
    private static final Member SPAWNER = member(Role.SPAWNER, 1);
    private static final Member SELF = member(Role.DAEMON, 100);
    private static final Member NEIGHBOUR = member(Role.DAEMON, 101);
    private static final GroupTerm TERM = new GroupTerm(1, SPAWNER.id());
    private static final Incarnation SECOND = new Incarnation(TERM, 2);
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final DaemonConfig CONFIG = DaemonConfig.of(Scheme.ASYNCHRONOUS);

    private final DaemonMachine daemon = new DaemonMachine(SELF, pair(), CONFIG, 7);

    private static Member member(Role role, long id) {
        return new Member(
                new NodeId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, 1L << 30);
    }

    private static JobShape pair() {
        return new JobShape(List.of(
                new JobShape.BlockShape(List.of(1), List.of(1), 10, 1),
                new JobShape.BlockShape(List.of(0), List.of(0), 10, 1)));
    }

    private Actions hear(Message message, long now) {
        return daemon.on(new Event.Received(SPAWNER.id(), message), now);
    }

    private Actions takeOver(OptionalLong restored) {
        var _ = daemon.on(new Event.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = hear(new Message.Registered(TERM), 1);
        var _ = hear(new Message.Assign(TERM, List.of(new RegisterEntry(0, SECOND, SELF)), List.of()), 2);
        var _ = hear(
                new Message.RegisterUpdate(1, List.of(new RegisterEntry(1, new Incarnation(TERM, 1), NEIGHBOUR))), 3);
        return daemon.on(new Event.BlockRestored(0, SECOND, restored, 0), 4);
    }

    private static long starts(Actions out) {
        return out.list().stream().filter(Action.StartBlock.class::isInstance).count();
    }

    @Test
    void aBlockWithItsBackupHasItsHalosToo_andWaitsForNobody() {
        assertEquals(1, starts(takeOver(OptionalLong.of(17))));
    }

    @Test
    void aBlockWithoutABackupWaitsForItsNeighboursHalos() {
        assertEquals(0, starts(takeOver(OptionalLong.empty())));
        assertEquals(1, starts(daemon.on(new Event.HaloArrived(1, 0), 5)));
    }

    @Test
    void dismissalByAnOwnerThatWasReplacedIsIgnored_byTheNewOneIsObeyed() {
        Member successor = member(Role.SPAWNER, 2);
        var _ = ownerReplacedBy(successor);
        assertEquals(0, renewals(hear(new Message.Dismissed(), 3)));
        Actions last = daemon.on(new Event.Received(successor.id(), new Message.Dismissed()), 4);
        assertEquals(1, renewals(last));
    }

    @Test
    void anOwnerThatIsReplacedHearsWhoseTheDaemonIsNow() {
        Member successor = member(Role.SPAWNER, 2);
        Actions out = ownerReplacedBy(successor);
        Message told = new Message.Register(SELF, Optional.of(successor.id()));
        assertTrue(out.list().contains(new Action.Send(SPAWNER.id(), told)), out::toString);
    }

    /** The daemon belongs to {@link #SPAWNER}, and then its group is taken over. */
    private Actions ownerReplacedBy(Member successor) {
        var _ = daemon.on(new Event.SpawnersFound(List.of(SPAWNER, successor)), 0);
        var _ = hear(new Message.Registered(TERM), 1);
        Message takeover = new Message.Takeover(new GroupTerm(2, successor.id()));
        return daemon.on(new Event.Received(successor.id(), takeover), 2);
    }

    @Test
    void whoeverKnowsNoOtherSpawnerTellsNobodyThatItsOwnIsGone() {
        Member successor = member(Role.SPAWNER, 2);
        var _ = daemon.on(new Event.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = hear(new Message.Registered(TERM), 1);
        Message takeover = new Message.Takeover(new GroupTerm(2, successor.id()));
        var _ = daemon.on(new Event.Received(successor.id(), takeover), 2);
        Actions alone = daemon.on(new Event.ConnectionReset(successor.id()), 3);
        assertEquals(
                List.of(),
                alone.list().stream()
                        .filter(ReplacementDaemonTest::tellsOfOrphans)
                        .toList());
        Actions told = daemon.on(new Event.SpawnersFound(List.of(SPAWNER)), SECOND_NANOS);
        assertEquals(
                List.of(new Action.Send(SPAWNER.id(), new Message.Orphaned(SELF, successor.id()))),
                told.list().stream()
                        .filter(ReplacementDaemonTest::tellsOfOrphans)
                        .toList());
    }

    private static boolean tellsOfOrphans(Action action) {
        return action instanceof Action.Send send && send.message() instanceof Message.Orphaned;
    }

    private static long renewals(Actions out) {
        return out.list().stream().filter(Action.StartAnew.class::isInstance).count();
    }

    @Test
    void oldDataIsFencedByTheNewestThatWasTaken_evenIfNoRegisterNamesIt() {
        var _ = takeOver(OptionalLong.empty());
        Incarnation old = new Incarnation(TERM, 1);
        Incarnation taken = new Incarnation(TERM, 5);
        Actions out = daemon.on(new Event.OldHaloArrived(1, old, taken, NEIGHBOUR.id()), SECOND_NANOS);
        assertEquals(
                List.of(new Action.Send(NEIGHBOUR.id(), new Message.Fenced(1, taken))),
                out.list().stream().filter(ReplacementDaemonTest::fences).toList());
    }

    private static boolean fences(Action action) {
        return action instanceof Action.Send send && send.message() instanceof Message.Fenced;
    }

    @Test
    void aDaemonThatIsWatchedAndHasNothingToComputeGetsReadyOnce() {
        var _ = daemon.on(new Event.SpawnersFound(List.of(SPAWNER)), 0);
        var _ = hear(new Message.Registered(TERM), 1);
        Action ready = new Action.StandBy();
        Actions first = hear(new Message.Watched(1, SPAWNER.id(), List.of(SPAWNER, SELF)), 2);
        Actions second = hear(new Message.Watched(2, SPAWNER.id(), List.of(SPAWNER, SELF, NEIGHBOUR)), 3);
        assertEquals(List.of(ready), first.list().stream().filter(ready::equals).toList());
        assertEquals(List.of(), second.list().stream().filter(ready::equals).toList());
    }
}
