// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndirectProbeResponderTest {
    private static final WorkerId OWNER = new WorkerId(1);
    private static final WorkerId SUSPECT = new WorkerId(2);
    private static final long TIMEOUT = 1000;

    private final IndirectProbeResponder responder = new IndirectProbeResponder(TIMEOUT);
    private final List<Message> toOwner = new ArrayList<>();
    private int probes;
    private long allowance;

    @Test
    void aSignOfLifeIsReportedAtOnce() {
        responder.asked(OWNER, SUSPECT, 0);
        tick(0);
        DaemonTurn turn = new DaemonTurn(0);
        responder.received(SUSPECT, turn);
        take(turn);
        assertEquals(List.of(new MembershipMessage.ProbeAnswer(SUSPECT, 0, false, 0)), toOwner);
        tick(TIMEOUT);
        assertEquals(1, toOwner.size());
        assertEquals(0, responder.entries());
    }

    @Test
    void silenceIsReportedAfterSeveralProbes() {
        responder.asked(OWNER, SUSPECT, 0);
        for (long now = 0; now <= TIMEOUT / 2; now += 10) {
            tick(now);
        }
        assertEquals(List.of(new MembershipMessage.ProbeAnswer(SUSPECT, TIMEOUT / 2, false, 0)), toOwner);
        assertEquals(5, probes);
    }

    @Test
    void aDaemonThatRunsLateReportsSilenceLater() {
        allowance = 2 * TIMEOUT;
        responder.asked(OWNER, SUSPECT, 0);
        for (long now = 0; now < TIMEOUT / 2 + allowance; now += 10) {
            tick(now);
        }
        assertEquals(List.of(), toOwner);
        tick(TIMEOUT / 2 + allowance);
        assertEquals(List.of(new MembershipMessage.ProbeAnswer(SUSPECT, TIMEOUT / 2 + allowance, false, 0)), toOwner);
    }

    @Test
    void aPauseOfTheOwnProcessIsNotReportedAsSilence() {
        responder.asked(OWNER, SUSPECT, 0);
        tick(0);
        tick(10 * TIMEOUT);
        assertEquals(List.of(), toOwner);
    }

    @Test
    void aRefusedConnectionIsReportedAtOnce() {
        responder.asked(OWNER, SUSPECT, 0);
        DaemonTurn turn = new DaemonTurn(0);
        responder.refused(SUSPECT, turn);
        take(turn);
        assertEquals(List.of(new MembershipMessage.ProbeAnswer(SUSPECT, Long.MAX_VALUE, true, 0)), toOwner);
    }

    private void tick(long now) {
        DaemonTurn turn = new DaemonTurn(now);
        responder.tick(allowance, turn);
        take(turn);
    }

    private void take(DaemonTurn turn) {
        for (DaemonAction action : turn.actions()) {
            if (action instanceof WorkerAction.Send send && send.to().equals(OWNER)) {
                toOwner.add(send.message());
            } else if (action instanceof WorkerAction.Send send && send.to().equals(SUSPECT)) {
                probes++;
            }
        }
    }
}
