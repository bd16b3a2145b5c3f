// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndirectProbeRequesterTest {
    private static final long TIMEOUT = 2_000;
    private static final Member SELF = member(1, WorkerRole.SPAWNER);
    private static final Member SUSPECT = member(2, WorkerRole.SPAWNER);
    private static final Member DAEMON = member(3, WorkerRole.DAEMON);

    private final IndirectProbeRequester requester = new IndirectProbeRequester(SELF, TIMEOUT);

    private static Member member(long id, WorkerRole role) {
        return new Member(new WorkerId(id), role, "w-" + id, new Address("virtual", 1), "host-" + id, "", 1, 1L << 30);
    }

    private long asked(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        requester.ask(SUSPECT, List.of(DAEMON), turn);
        return turn.actions().stream()
                .filter(action ->
                        action instanceof WorkerAction.Send send && send.message() instanceof MembershipMessage.Probe)
                .count();
    }

    @Test
    void aSilentDaemonIsAskedAtMostTwentyTimesInATimeout() {
        long requests = 0;
        for (long now = 0; now < TIMEOUT; now++) {
            requests += asked(now);
        }
        assertEquals(20, requests);
    }

    @Test
    void aDaemonIsAskedAgainWhenItsAnswerIsOld() {
        assertEquals(1, asked(0));
        requester.answered(DAEMON.id(), new MembershipMessage.ProbeAnswer(SUSPECT.id(), 500, false, 0), 10);
        assertTrue(requester.isConfirmed(SUSPECT.id(), 20));
        assertEquals(0, asked(TIMEOUT));
        assertFalse(requester.isConfirmed(SUSPECT.id(), TIMEOUT + 10));
        assertEquals(1, asked(TIMEOUT + 10));
    }
}
