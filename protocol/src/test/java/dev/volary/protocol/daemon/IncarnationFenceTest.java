// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.daemon.DaemonParts.FIRST;
import static dev.volary.protocol.daemon.DaemonParts.NEIGHBOR;
import static dev.volary.protocol.daemon.DaemonParts.SECOND;
import static dev.volary.protocol.daemon.DaemonParts.SELF;
import static dev.volary.protocol.daemon.DaemonParts.THIRD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The directory knows the second incarnation of block 0. */
class IncarnationFenceTest {
    private static final Duration RETRY = Duration.ofMillis(200);

    private final BlockDirectory directory = new BlockDirectory();
    private final IncarnationFence fence = new IncarnationFence(directory, RETRY);

    IncarnationFenceTest() {
        directory.merge(serves(SELF, 0, SECOND));
    }

    private DaemonTurn staleHalo(Member sender, Incarnation sent, Incarnation newest, long now) {
        DaemonTurn turn = new DaemonTurn(now);
        fence.staleHaloArrived(new DaemonEvent.StaleHaloArrived(0, sent, newest, sender.id()), turn);
        return turn;
    }

    @Test
    void onlyAnOlderIncarnationThanTheDirectoryKnowsIsFenced() {
        DaemonTurn turn = new DaemonTurn(0);
        assertTrue(fence.fenceIfStale(NEIGHBOR.id(), 0, FIRST, turn));
        assertFalse(fence.fenceIfStale(NEIGHBOR.id(), 0, SECOND, turn));
        assertFalse(fence.fenceIfStale(NEIGHBOR.id(), 0, THIRD, turn));
        assertFalse(fence.fenceIfStale(NEIGHBOR.id(), 1, FIRST, turn), "block 1 is unknown");
        assertEquals(List.of(new BlockMessage.StaleIncarnation(0, SECOND)), messagesTo(NEIGHBOR.id(), turn));
    }

    @Test
    void aSenderOfStaleHalosLearnsTheNewestIncarnationFromTheDirectoryOrFromOtherHalos() {
        assertEquals(
                List.of(new BlockMessage.StaleIncarnation(0, SECOND)), messages(staleHalo(NEIGHBOR, FIRST, FIRST, 0)));
        assertEquals(
                List.of(new BlockMessage.StaleIncarnation(0, THIRD)), messages(staleHalo(daemon(13), FIRST, THIRD, 0)));
    }

    @Test
    void aHaloOfTheNewestIncarnationIsNotStale() {
        assertEquals(List.of(), messages(staleHalo(NEIGHBOR, SECOND, SECOND, 0)));
    }

    @Test
    void aSenderIsFencedOnceInARetryPeriodAndForgottenAfterIt() {
        staleHalo(NEIGHBOR, FIRST, FIRST, 0);
        assertEquals(List.of(), messages(staleHalo(NEIGHBOR, FIRST, FIRST, RETRY.toNanos() - 1)));
        assertEquals(
                1,
                messages(staleHalo(daemon(13), FIRST, FIRST, RETRY.toNanos())).size());
        assertEquals(1, fence.entries(), "daemon 12 may be fenced again");
        assertEquals(
                1, messages(staleHalo(NEIGHBOR, FIRST, FIRST, RETRY.toNanos())).size());
    }
}
