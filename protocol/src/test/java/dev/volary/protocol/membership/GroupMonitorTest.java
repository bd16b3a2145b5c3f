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

/** A group is taken over from a spawner whose machine may be gone with all that ran on it. */
class GroupMonitorTest {
    private static final Member SELF = member(1, WorkerRole.SPAWNER, "a");
    private static final Member OWN = member(2, WorkerRole.DAEMON, "a");
    private static final Member FALLEN = member(3, WorkerRole.SPAWNER, "b");
    private static final Member WITH_IT = member(4, WorkerRole.DAEMON, "b");
    private static final Member ELSEWHERE = member(5, WorkerRole.DAEMON, "c");

    private static final SpawnerConfig CONFIG =
            SpawnerConfig.of(1, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);
    private static final long TIMEOUT = CONFIG.watch().timeout().toNanos();
    private static final long STEP = TIMEOUT / 50;
    private static final long TAKEN_OVER = 8 * TIMEOUT;

    private final GroupMonitor watch = new GroupMonitor(SELF, CONFIG, 7);

    @Test
    void daemonsOfAMachineThatFellAreAskedAtOnceAndOthersAreNot() {
        assertTrue(firstProbe(WITH_IT, true) <= STEP);
    }

    @Test
    void withoutAFallNobodyIsAskedBeforeAHeartbeatIsLate() {
        long asked = firstProbe(WITH_IT, false);
        assertTrue(asked > TIMEOUT / 4, "asked after " + (double) asked / TIMEOUT + " time-outs");
    }

    @Test
    void daemonsOfAnotherMachineAreNotDoubted() {
        long asked = firstProbe(ELSEWHERE, true);
        assertTrue(asked > TIMEOUT / 4, "asked after " + (double) asked / TIMEOUT + " time-outs");
    }

    @Test
    void aFallIsForgottenAfterAWhile() {
        watch.fell(FALLEN, TAKEN_OVER - 6 * TIMEOUT);
        long asked = firstProbe(WITH_IT, false);
        assertTrue(asked > TIMEOUT / 4, "asked after " + (double) asked / TIMEOUT + " time-outs");
    }

    /** From the takeover until the newcomer, of whom nothing is heard, is asked whether it lives, in nanoseconds. */
    private long firstProbe(Member newcomer, boolean fell) {
        watch.planned(0);
        for (long now = 0; now < TAKEN_OVER; now += STEP) {
            watch.on(new WorkerEvent.Acknowledged(OWN.id(), now), new SpawnerTurn(now));
            watch.tick(List.of(OWN), new SpawnerTurn(now));
        }
        if (fell) {
            watch.fell(FALLEN, TAKEN_OVER);
        }
        for (long now = TAKEN_OVER; now < 20 * TIMEOUT; now += STEP) {
            watch.on(new WorkerEvent.Acknowledged(OWN.id(), now), new SpawnerTurn(now));
            SpawnerTurn turn = new SpawnerTurn(now);
            watch.tick(List.of(OWN, newcomer), turn);
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
