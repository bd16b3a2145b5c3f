// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.daemon.DaemonParts.ASYNCHRONOUS;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmupTriggerTest {
    private static final List<DaemonAction> WARM_UP = List.of(new DaemonAction.WarmUp());

    private final DaemonParts parts = new DaemonParts();
    private final GracefulShutdown shutdown =
            new GracefulShutdown(SELF.id(), parts.served.lifecycle(), true, ASYNCHRONOUS.retry());
    private final WarmupTrigger warmup = new WarmupTrigger(parts.served.lifecycle(), shutdown);

    private List<DaemonAction> monitored() {
        DaemonTurn turn = new DaemonTurn(0);
        warmup.monitored(turn);
        return turn.actions();
    }

    @Test
    void aStandbyWarmsUpOnce() {
        assertEquals(WARM_UP, monitored());
        assertEquals(List.of(), monitored());
    }

    @Test
    void aStandbyWarmsUpAgainInAnotherGroup() {
        monitored();
        DaemonTurn turn = new DaemonTurn(0);
        warmup.transferred(turn);
        assertEquals(WARM_UP, turn.actions());
    }

    @Test
    void aDaemonWithBlocksDoesNotWarmUp() {
        parts.assign(0, FIRST);
        assertEquals(List.of(), monitored());
    }

    @Test
    void aDaemonThatLeavesDoesNotWarmUp() {
        shutdown.request(new DaemonTurn(0));
        assertEquals(List.of(), monitored());
    }
}
