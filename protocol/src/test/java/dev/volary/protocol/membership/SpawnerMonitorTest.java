// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Two spawners: only a daemon can find out whether the other one is dead or its cable is cut. */
class SpawnerMonitorTest {
    private static final Member SELF = member(1, WorkerRole.SPAWNER, "a");
    private static final Member OTHER = member(2, WorkerRole.SPAWNER, "b");
    private static final Member HERE = member(3, WorkerRole.DAEMON, "a");
    private static final Member OTHER_MACHINE = member(4, WorkerRole.DAEMON, "c");
    /** As in a pod: another address, the same machine. */
    private static final Member BESIDE =
            new Member(new WorkerId(5), WorkerRole.DAEMON, "m-5", new Address("10.0.0.5", 1), "virtual", "a", 1, 0);

    private static final SpawnerConfig CONFIG =
            SpawnerConfig.of(1, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);
    private static final long TIMEOUT = CONFIG.watch().timeout().toNanos();
    private static final long STEP = TIMEOUT / 50;
    /** Messages of the other one arrive until then. */
    private static final long LAST_RECEIVED = 2 * TIMEOUT;

    private final SpawnerMonitor monitor = new SpawnerMonitor(SELF, CONFIG, 7);
    private final Set<WorkerId> asked = new HashSet<>();

    @Test
    void aSilentSpawnerIsDeadWhenADaemonOnAnotherMachineCannotReachItEither() {
        long nanos = deadAfter(Optional.of(new MembershipMessage.ProbeAnswer(OTHER.id(), TIMEOUT / 2, false, 0)));
        assertTrue(nanos < TIMEOUT * 5 / 4, "declared dead after " + (double) nanos / TIMEOUT + " time-outs");
        assertEquals(Set.of(OTHER_MACHINE.id()), asked);
    }

    @Test
    void aSpawnerThatADaemonReachesIsNotDeclaredSoon() {
        long nanos = deadAfter(Optional.of(new MembershipMessage.ProbeAnswer(OTHER.id(), 0, false, 0)));
        assertTrue(nanos > 9 * TIMEOUT, "declared dead after " + (double) nanos / TIMEOUT + " time-outs");
    }

    @Test
    void aSpawnerThatNoDaemonCanProbeIsNotDeclaredSoon() {
        long nanos = deadAfter(Optional.empty());
        assertTrue(nanos > 9 * TIMEOUT, "declared dead after " + (double) nanos / TIMEOUT + " time-outs");
    }

    @Test
    void aSpawnerThatNoDaemonCanProbeIsDeadAfterALongSilenceInWhichOthersAreHeard() {
        long nanos = deadAfter(Optional.empty(), now -> true);
        assertEquals(10, nanos / TIMEOUT, "time-outs until it is declared dead");
    }

    @Test
    void aMachineThatIsCutOffDeclaresNoSpawnerDead() {
        assertEquals(Long.MAX_VALUE, deadAfter(Optional.empty(), now -> now <= LAST_RECEIVED));
    }

    /** Else the first message after the cut, from whomever, would evict the side that is the job. */
    @Test
    void afterACutTheOthersHaveTimeToBeHeardAgain() {
        long cut = 30 * TIMEOUT;
        long nanos = deadAfter(Optional.empty(), now -> now <= LAST_RECEIVED || now >= LAST_RECEIVED + cut);
        assertEquals(35, nanos / TIMEOUT, "time-outs until it is declared dead");
    }

    /** The only one that is left to hear from may be an operator that looks now and then. */
    @Test
    void aSpawnerThatIsHeardFromNowAndThenDeclaresAnotherDead() {
        long nanos = deadAfter(Optional.empty(), now -> now % (8 * TIMEOUT) == 0);
        assertEquals(11, nanos / TIMEOUT, "time-outs until it is declared dead");
    }

    /** In a large ring each spawner monitors only its neighbors; an earlier version asked the daemons of all others. */
    @Test
    void noDaemonIsAskedAboutASpawnerThatOtherSpawnersMonitor() {
        Member third = member(6, WorkerRole.SPAWNER, "c");
        for (long now = 0; now < 20 * TIMEOUT; now += STEP) {
            monitor.on(new WorkerEvent.Acknowledged(third.id(), now), new SpawnerTurn(now));
            SpawnerTurn turn = new SpawnerTurn(now);
            monitor.tick(SELF.id(), 1, List.of(OTHER, third), () -> List.of(HERE, OTHER_MACHINE), turn);
            assertEquals(List.of(), asking(turn));
        }
        SpawnerTurn turn = new SpawnerTurn(20 * TIMEOUT);
        monitor.on(new WorkerEvent.ConnectionReset(third.id()), turn);
        monitor.tick(SELF.id(), 1, List.of(OTHER, third), () -> List.of(HERE, OTHER_MACHINE), turn);
        assertEquals(List.of(OTHER_MACHINE.id()), asking(turn), "the third is silent as well");
    }

    @Test
    void aSpawnerIsLeftOutOnceTheLeaderHasSentAListWithoutIt() {
        Member third = member(6, WorkerRole.SPAWNER, "c");
        monitor.tick(OTHER.id(), 1, List.of(OTHER, third), List::of, new SpawnerTurn(0));
        monitor.tick(OTHER.id(), 1, List.of(OTHER, third), List::of, new SpawnerTurn(TIMEOUT));
        assertFalse(monitor.isLeftOut(OTHER.id(), third.id()), "the list is only assumed");
        long version = MemberListPublisher.first(1) + 1;
        monitor.updateMembers(
                new MembershipMessage.MemberListUpdate(version, OTHER.id(), List.of(OTHER, SELF)),
                new SpawnerTurn(2 * TIMEOUT));
        assertTrue(monitor.isLeftOut(OTHER.id(), third.id()));
        assertFalse(monitor.isLeftOut(OTHER.id(), SELF.id()));
        assertFalse(monitor.isLeftOut(third.id(), OTHER.id()), "it is the list of another leader");
    }

    /** Daemons that are asked. */
    private static List<WorkerId> asking(SpawnerTurn turn) {
        return turn.actions().stream()
                .filter(action ->
                        action instanceof WorkerAction.Send send && send.message() instanceof MembershipMessage.Probe)
                .map(action -> ((WorkerAction.Send) action).to())
                .filter(to -> to.equals(HERE.id()) || to.equals(OTHER_MACHINE.id()))
                .toList();
    }

    /**
     * Nanoseconds of silence until the other spawner is declared dead; the daemon on another machine gives this answer after a
     * while.
     */
    private long deadAfter(Optional<MembershipMessage.ProbeAnswer> answer) {
        return deadAfter(answer, now -> false);
    }

    /** As before, where other machines are heard at these times. */
    private long deadAfter(Optional<MembershipMessage.ProbeAnswer> answer, LongPredicate isConnected) {
        long answerAt = Long.MAX_VALUE;
        for (long now = 0; now < 60 * TIMEOUT; now += STEP) {
            if (isConnected.test(now)) {
                monitor.arrivedFromOutside(now);
            }
            if (now <= LAST_RECEIVED) {
                monitor.on(new WorkerEvent.Acknowledged(OTHER.id(), now), new SpawnerTurn(now));
            }
            SpawnerTurn turn = new SpawnerTurn(now);
            if (monitor.tick(SELF.id(), 1, List.of(OTHER), () -> List.of(HERE, BESIDE, OTHER_MACHINE), turn)
                    .contains(OTHER.id())) {
                return now - LAST_RECEIVED;
            }
            for (SpawnerAction action : turn.actions()) {
                if (action instanceof WorkerAction.Send send
                        && send.message() instanceof MembershipMessage.Probe
                        && !send.to().equals(OTHER.id())) {
                    asked.add(send.to());
                    answerAt = Math.min(answerAt, now + TIMEOUT / 2);
                }
            }
            if (now >= answerAt && answer.isPresent()) {
                monitor.answered(OTHER_MACHINE.id(), answer.get(), now);
                answerAt = Long.MAX_VALUE;
            }
        }
        return Long.MAX_VALUE;
    }

    private static Member member(long id, WorkerRole role, String zone) {
        return new Member(new WorkerId(id), role, "m-" + id, new Address("virtual", (int) id), "virtual", zone, 1, 0);
    }
}
