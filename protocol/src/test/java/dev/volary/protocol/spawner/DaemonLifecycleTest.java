// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.spawner.SpawnerParts.CONFIG;
import static dev.volary.protocol.spawner.SpawnerParts.DAEMON;
import static dev.volary.protocol.spawner.SpawnerParts.OTHER;
import static dev.volary.protocol.spawner.SpawnerParts.SECOND;
import static dev.volary.protocol.spawner.SpawnerParts.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Daemon 11 has the blocks 0 and 1 of this group; spawner 2 owns the blocks 2 and 3. */
class DaemonLifecycleTest {
    private static final long PATIENCE = 2 * CONFIG.watch().timeout().toNanos();

    private final SpawnerParts parts = new SpawnerParts();
    private final DaemonLifecycle daemons = new DaemonLifecycle(
            SELF.id(), CONFIG, parts.group, parts.ownership.owners(), parts.spawners, parts.evicted, parts.reporter);
    private final SpawnerTurn turn = new SpawnerTurn(0);

    DaemonLifecycleTest() {
        parts.plan();
    }

    private void register(Member daemon, Member owner) {
        daemons.registered(new RegistrationMessage.Register(daemon, Optional.of(owner.id())), turn);
    }

    @Test
    void aDeadDaemonIsEvictedAndItsBlocksReassigned() {
        register(SECOND, SELF);
        daemons.lost(List.of(SpawnerParts.dead(DAEMON)), turn);
        assertTrue(parts.evicted.contains(DAEMON.id()));
        assertTrue(daemons.hasLostAny());
        assertEquals(List.of(0, 1), parts.blocksOf(SECOND));
    }

    @Test
    void aDaemonOfAnotherGroupIsNotEvicted() {
        daemons.lost(List.of(SpawnerParts.dead(SECOND)), turn);
        assertFalse(parts.evicted.contains(SECOND.id()));
        assertFalse(daemons.hasLostAny());
    }

    @Test
    void aDaemonThatNamesAnotherOwnerLosesItsBlocksIfThatOneDoesNotClaimThem() {
        register(DAEMON, OTHER);
        daemons.tick(new SpawnerTurn(PATIENCE - 1));
        assertTrue(parts.group.serves(DAEMON.id()));
        daemons.tick(new SpawnerTurn(PATIENCE));
        assertFalse(parts.group.serves(DAEMON.id()));
        assertEquals(0, daemons.entries());
    }

    @Test
    void aDaemonThatComesBackKeepsItsBlocks() {
        register(DAEMON, OTHER);
        register(DAEMON, SELF);
        daemons.tick(new SpawnerTurn(PATIENCE));
        assertTrue(parts.group.serves(DAEMON.id()));
    }

    @Test
    void aDaemonThatComputesBlocksOfAnotherGroupIsTransferred() {
        register(SECOND, SELF);
        SpawnerTurn report = new SpawnerTurn(0);
        daemons.reported(SpawnerParts.report(SECOND, 2, 2, 3), report);
        assertEquals(List.of(new RegistrationMessage.TransferDaemon(OTHER)), messagesTo(SECOND.id(), report));
    }

    @Test
    void aDaemonThatComputesABlockOfThisGroupStays() {
        SpawnerTurn report = new SpawnerTurn(0);
        daemons.reported(SpawnerParts.report(DAEMON, 1, 0, 2), report);
        assertFalse(messages(report).contains(new RegistrationMessage.TransferDaemon(OTHER)));
    }

    @Test
    void aDaemonThatLeavesIsEvictedOnceItHasNoBlocks() {
        register(SECOND, SELF);
        daemons.leaves(new RegistrationMessage.Leaving(DAEMON.id(), List.of(1)), turn);
        assertFalse(parts.evicted.contains(DAEMON.id()));
        daemons.leaves(new RegistrationMessage.Leaving(DAEMON.id(), List.of()), turn);
        assertTrue(parts.evicted.contains(DAEMON.id()));
        assertEquals(List.of(0, 1), parts.blocksOf(SECOND));
    }
}
