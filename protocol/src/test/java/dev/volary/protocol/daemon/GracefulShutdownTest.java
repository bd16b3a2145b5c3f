// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.daemon.DaemonParts.ASYNCHRONOUS;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.OWNER;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Blocks 0 and 1 are open on this daemon. */
class GracefulShutdownTest {
    private static final Duration RETRY = Duration.ofMillis(200);

    private final DaemonParts parts = new DaemonParts();
    private final BlockLifecycle blocks = parts.served.lifecycle();

    GracefulShutdownTest() {
        parts.open(0, FIRST, 0);
        parts.open(1, FIRST, 0);
    }

    private GracefulShutdown requested(boolean savesBlocks, DaemonTurn turn) {
        GracefulShutdown shutdown = new GracefulShutdown(SELF.id(), blocks, savesBlocks, RETRY);
        shutdown.request(turn);
        return shutdown;
    }

    private static List<Message> reports(GracefulShutdown shutdown, long now) {
        DaemonTurn turn = new DaemonTurn(now);
        shutdown.tick(Optional.of(OWNER.id()), turn);
        return messagesTo(OWNER.id(), turn);
    }

    private static Message leaving(Integer... busy) {
        return new RegistrationMessage.Leaving(SELF.id(), List.of(busy));
    }

    @Test
    void blocksAreBackedUpAtTheirNextBoundary() {
        DaemonTurn turn = new DaemonTurn(0);
        requested(true, turn);
        assertEquals(
                List.of(new DaemonAction.BackUp(0, FIRST, 0, true), new DaemonAction.BackUp(1, FIRST, 0, true)),
                turn.actions());
    }

    @Test
    void theOwnerLearnsAfterEachBackupWhichBlocksAreNotSaved() {
        GracefulShutdown shutdown = requested(true, new DaemonTurn(0));
        assertEquals(List.of(leaving(0, 1)), reports(shutdown, 0));
        assertEquals(List.of(), reports(shutdown, 1));
        blocks.backedUp(0, FIRST, 10, new DaemonTurn(2));
        shutdown.backupEnded(2);
        assertEquals(List.of(leaving(1)), reports(shutdown, 2));
    }

    @Test
    void theReportIsRepeatedUntilTheOwnerEvictsTheDaemon() {
        GracefulShutdown shutdown = requested(true, new DaemonTurn(0));
        reports(shutdown, 0);
        assertEquals(List.of(), reports(shutdown, RETRY.toNanos() - 1));
        assertEquals(List.of(leaving(0, 1)), reports(shutdown, RETRY.toNanos()));
    }

    @Test
    void aDaemonWithoutAnOwnerExits() {
        GracefulShutdown shutdown = requested(true, new DaemonTurn(0));
        DaemonTurn turn = new DaemonTurn(0);
        shutdown.tick(Optional.empty(), turn);
        assertEquals(List.of(new DaemonAction.Exit()), turn.actions());
    }

    @Test
    void whereAllBlocksRollBackTogetherNoneIsSaved() {
        DaemonTurn turn = new DaemonTurn(0);
        GracefulShutdown shutdown = requested(false, turn);
        assertEquals(List.of(), turn.actions());
        assertEquals(List.of(leaving()), reports(shutdown, 0));
    }

    @Test
    void aBackupOfADaemonThatStaysIsNotReported() {
        GracefulShutdown shutdown = new GracefulShutdown(SELF.id(), blocks, true, ASYNCHRONOUS.retry());
        shutdown.backupEnded(0);
        assertEquals(List.of(), reports(shutdown, 0));
    }
}
