// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A daemon whose owner is first spawner 1, then spawner 2. */
class DaemonFailureDetectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Member SELF = Samples.daemon(3);

    private static MembershipMessage.MemberListUpdate listOf(long owner, long version) {
        return new MembershipMessage.MemberListUpdate(
                version, new WorkerId(owner), List.of(Samples.spawner(owner), SELF));
    }

    @Test
    void aNewOwnerLearnsHowLateThisDaemonWasBefore() {
        DaemonFailureDetection detection =
                new DaemonFailureDetection(SELF.id(), FailureDetectorConfig.confirmed(2, TIMEOUT), 7, Duration.ZERO);
        detection.updateMembers(listOf(1, 1), new DaemonTurn(0));
        detection.tick(List.of(), new DaemonTurn(0));
        detection.tick(List.of(), new DaemonTurn(2 * SECOND));
        detection.updateMembers(listOf(2, 2), new DaemonTurn(2 * SECOND));
        List<Long> delays = heartbeats(detection, 2 * SECOND, 3 * SECOND);
        assertTrue(!delays.isEmpty() && delays.getFirst() > SECOND, delays::toString);
        assertTrue(detection.allowanceNanos(3 * SECOND) > 2 * SECOND);
        assertEquals(0, detection.allowanceNanos(60 * SECOND));
    }

    private static List<Long> heartbeats(DaemonFailureDetection detection, long from, long to) {
        List<Long> delays = new ArrayList<>();
        for (long now = from; now < to; now += SECOND / 100) {
            DaemonTurn turn = new DaemonTurn(now);
            detection.tick(List.of(), turn);
            Samples.sends(turn).forEach(send -> {
                if (send.message() instanceof MembershipMessage.Heartbeat heartbeat) {
                    delays.add(heartbeat.delayNanos());
                }
            });
        }
        return delays;
    }
}
