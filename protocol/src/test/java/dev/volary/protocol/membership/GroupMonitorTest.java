// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A group is taken over from a spawner whose machine may have failed with all that ran on it. */
class GroupMonitorTest {
    private static final Member SELF = member(1, WorkerRole.SPAWNER, "a");
    private static final Member OWN = member(2, WorkerRole.DAEMON, "a");
    private static final Member LOST = member(3, WorkerRole.SPAWNER, "b");
    private static final Member SAME_MACHINE = member(4, WorkerRole.DAEMON, "b");
    private static final Member OTHER_MACHINE = member(5, WorkerRole.DAEMON, "c");

    private static final SpawnerConfig CONFIG =
            SpawnerConfig.of(1, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);
    private static final long TIMEOUT = CONFIG.watch().timeout().toNanos();
    private static final long STEP = TIMEOUT / 50;
    private static final long TAKEN_OVER = 8 * TIMEOUT;

    private final GroupMonitor monitor = new GroupMonitor(SELF, CONFIG, 7);

    @Test
    void aDaemonOnTheMachineOfALostSpawnerIsProbedAtOnce() {
        assertTrue(firstProbe(SAME_MACHINE, true) <= STEP);
    }

    @Test
    void withoutALostSpawnerADaemonIsProbedWhenItsHeartbeatIsLate() {
        long asked = firstProbe(SAME_MACHINE, false);
        assertTrue(asked > TIMEOUT / 4, "probed after " + (double) asked / TIMEOUT + " time-outs");
    }

    @Test
    void aDaemonOnAnotherMachineIsProbedWhenItsHeartbeatIsLate() {
        long asked = firstProbe(OTHER_MACHINE, true);
        assertTrue(asked > TIMEOUT / 4, "probed after " + (double) asked / TIMEOUT + " time-outs");
    }

    @Test
    void aLostSpawnerIsForgottenAfterAWhile() {
        monitor.spawnerLost(LOST, TAKEN_OVER - 6 * TIMEOUT);
        long asked = firstProbe(SAME_MACHINE, false);
        assertTrue(asked > TIMEOUT / 4, "probed after " + (double) asked / TIMEOUT + " time-outs");
    }

    /** All daemons of the group are on a machine that is lost, and no other member can confirm it. */
    @Test
    void aGroupThatIsLostAsAWholeIsDeclaredSoonIfThisMachineIsNotCutOff() {
        long connected = verdictOnAll(true);
        assertTrue(connected < 1.5 * TIMEOUT, "declared after " + (double) connected / TIMEOUT + " time-outs");
    }

    @Test
    void anOwnerThatHearsNothingMayBeCutOffItself() {
        long alone = verdictOnAll(false);
        assertTrue(alone >= 3 * TIMEOUT, "declared after " + (double) alone / TIMEOUT + " time-outs");
        assertTrue(alone < 4 * TIMEOUT, "declared after " + (double) alone / TIMEOUT + " time-outs");
    }

    /** Nanoseconds from the last sign of life of two daemons until both are declared dead. */
    private long verdictOnAll(boolean isConnected) {
        List<Member> daemons = List.of(SAME_MACHINE, OTHER_MACHINE);
        long last = 4 * TIMEOUT;
        int declared = 0;
        monitor.planned(0);
        for (long now = 0; now < 20 * TIMEOUT; now += STEP) {
            for (Member daemon : daemons) {
                if (now <= last) {
                    monitor.on(new WorkerEvent.Acknowledged(daemon.id(), now), new SpawnerTurn(now));
                }
            }
            if (isConnected) {
                monitor.arrivedFromElsewhere(now);
            }
            declared += monitor.tick(daemons, new SpawnerTurn(now)).size();
            if (declared == daemons.size()) {
                return now - last;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Nanoseconds from the takeover until the newcomer, which sends nothing, is probed. */
    private long firstProbe(Member newcomer, boolean isSpawnerLost) {
        monitor.planned(0);
        for (long now = 0; now < TAKEN_OVER; now += STEP) {
            monitor.on(new WorkerEvent.Acknowledged(OWN.id(), now), new SpawnerTurn(now));
            monitor.tick(List.of(OWN), new SpawnerTurn(now));
        }
        if (isSpawnerLost) {
            monitor.spawnerLost(LOST, TAKEN_OVER);
        }
        for (long now = TAKEN_OVER; now < 20 * TIMEOUT; now += STEP) {
            monitor.on(new WorkerEvent.Acknowledged(OWN.id(), now), new SpawnerTurn(now));
            SpawnerTurn turn = new SpawnerTurn(now);
            monitor.tick(List.of(OWN, newcomer), turn);
            boolean asked = turn.actions().stream()
                    .anyMatch(action -> action instanceof WorkerAction.Send(WorkerId to, MembershipMessage.Probe probe)
                            && probe.suspect().equals(newcomer.id()));
            if (asked) {
                return now - TAKEN_OVER;
            }
        }
        return Long.MAX_VALUE;
    }

    private static Member member(long id, WorkerRole role, String zone) {
        return new Member(new WorkerId(id), role, "m-" + id, new Address("virtual", (int) id), "virtual", zone, 1, 0);
    }
}
