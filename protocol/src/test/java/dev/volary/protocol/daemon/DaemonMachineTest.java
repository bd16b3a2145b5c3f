// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.daemon.DaemonParts.ASYNCHRONOUS;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.OWNER;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.ToDaemon;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A daemon in the group of spawner 1. */
class DaemonMachineTest {
    private final DaemonMachine daemon = new DaemonMachine(SELF, chain(3), ASYNCHRONOUS, 7);

    DaemonMachineTest() {
        on(new WorkerEvent.SpawnersFound(List.of(OWNER)));
        receive(new RegistrationMessage.Registered(FIRST.term()));
    }

    private DaemonTurn on(DaemonEvent event) {
        DaemonTurn turn = new DaemonTurn(1);
        daemon.on(event, turn);
        return turn;
    }

    private DaemonTurn receive(ToDaemon message) {
        return on(new DaemonEvent.Received(OWNER.id(), message));
    }

    private DaemonTurn assign() {
        return receive(new BlockMessage.Assign(FIRST.term(), List.of(serves(SELF, 0, FIRST)), List.of()));
    }

    private static long opens(DaemonTurn turn) {
        return turn.actions().stream()
                .filter(DaemonAction.OpenBlock.class::isInstance)
                .count();
    }

    @Test
    void aDaemonOpensTheBlocksThatItsOwnerAssigns() {
        assertEquals(1, opens(assign()));
    }

    @Test
    void aDaemonThatLeavesTakesNoBlocks() {
        on(new DaemonEvent.ShutdownRequested());
        assertEquals(0, opens(assign()));
    }

    @Test
    void anEvictedDaemonRestartsAndDoesNothingMore() {
        assertEquals(
                List.of(new WorkerAction.Restart()),
                receive(new RegistrationMessage.Evicted()).actions());
        assertEquals(List.of(), assign().actions());
    }

    @Test
    void anEvictedDaemonThatLeavesExits() {
        on(new DaemonEvent.ShutdownRequested());
        assertEquals(
                List.of(new DaemonAction.Exit()),
                receive(new RegistrationMessage.Evicted()).actions());
    }

    @Test
    void afterTheEndOfTheJobADaemonComputesAndReportsNothing() {
        DaemonTurn end = receive(new Stop(Optional.empty()));
        assertEquals(List.of(new DaemonAction.StopComputing()), end.actions());
        assertEquals(0, opens(assign()));
        assertEquals(List.of(), messages(on(new WorkerEvent.Tick())));
    }
}
