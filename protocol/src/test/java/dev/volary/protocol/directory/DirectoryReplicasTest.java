// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.sends;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage.DirectoryReplica;
import dev.volary.protocol.message.TakeoverMessage.DirectoryReplicaAck;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.DaemonReservations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spawner 1 owns blocks 0 and 1; spawners 2, 3 and 4 come next in the ring. */
class DirectoryReplicasTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member SELF = spawner(1);
    private static final Member DAEMON = daemon(11);
    private static final WorkerId TWO = new WorkerId(2);
    private static final WorkerId THREE = new WorkerId(3);
    private static final List<WorkerId> SUCCESSORS = List.of(TWO, THREE, new WorkerId(4));

    private final DaemonReservations daemons =
            new DaemonReservations(SELF.id(), new GroupTerm(1, SELF.id()), 2, 2, RETRY);
    private final BlockAssignments assignments =
            new BlockAssignments(chain(2), RETRY, new BlockDirectory(), new GroupTerm(1, SELF.id()));
    private final DirectoryReplicas replicas = new DirectoryReplicas(RETRY);

    DirectoryReplicasTest() {
        daemons.register(DAEMON, Optional.of(SELF.id()), new SpawnerTurn(0));
        assignments.assignFirst(group(SELF, 1, 0, 1), List.of(DAEMON), new SpawnerTurn(0));
    }

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        replicas.tick(assignments, daemons, SUCCESSORS, turn);
        return turn;
    }

    private static DirectoryReplica replica(long n, long version, Member daemon) {
        return new DirectoryReplica(new GroupTerm(n, TWO), version, List.of(), List.of(), List.of(daemon));
    }

    private SpawnerTurn copy(DirectoryReplica replica) {
        SpawnerTurn turn = new SpawnerTurn(0);
        replicas.copy(TWO, replica, turn);
        return turn;
    }

    @Test
    void theTwoNextSpawnersGetACopyOfTheDirectory() {
        SpawnerTurn turn = tick(0);
        assertEquals(List.of(TWO, THREE), receivers(turn));
        DirectoryReplica sent = (DirectoryReplica) messages(turn).getFirst();
        assertEquals(List.of(0, 1), sent.blocks());
        assertEquals(List.of(DAEMON), sent.daemons());
        assertEquals(
                List.of(DAEMON, DAEMON),
                sent.entries().stream().map(entry -> entry.daemon()).toList());
    }

    @Test
    void theCopyIsRepeatedUntilItIsAcknowledged() {
        DirectoryReplica sent = (DirectoryReplica) messages(tick(0)).getFirst();
        replicas.copied(TWO, sent.term(), sent.version());
        assertEquals(List.of(), receivers(tick(RETRY.toNanos() - 1)));
        assertEquals(List.of(THREE), receivers(tick(RETRY.toNanos())));
        replicas.copied(THREE, new GroupTerm(9, SELF.id()), sent.version());
        assertEquals(List.of(THREE), receivers(tick(2 * RETRY.toNanos())), "that was another term's copy");
        replicas.copied(THREE, sent.term(), sent.version());
        assertEquals(List.of(), receivers(tick(3 * RETRY.toNanos())));
    }

    @Test
    void aChangeOfTheGroupIsSentAtOnce() {
        DirectoryReplica before = (DirectoryReplica) messages(tick(0)).getFirst();
        replicas.copied(TWO, before.term(), before.version());
        replicas.copied(THREE, before.term(), before.version());
        daemons.register(daemon(12), Optional.of(SELF.id()), new SpawnerTurn(1));
        SpawnerTurn turn = tick(1);
        assertEquals(List.of(TWO, THREE), receivers(turn));
        assertTrue(((DirectoryReplica) messages(turn).getFirst()).version() > before.version());
    }

    @Test
    void ofTwoCopiesTheHigherTermWinsThenTheHigherVersion() {
        Member newer = daemon(22);
        copy(replica(1, 9, daemon(21)));
        copy(replica(2, 1, newer));
        assertEquals(
                List.of(new DirectoryReplicaAck(new GroupTerm(1, TWO), 10)),
                messages(copy(replica(1, 10, daemon(23)))),
                "a late copy is acknowledged, so that it is not repeated");
        assertEquals(List.of(newer), replicas.daemons());
        copy(replica(2, 2, daemon(24)));
        assertEquals(List.of(daemon(24)), replicas.daemons());
        assertEquals(
                List.of(TWO),
                sends(copy(replica(2, 2, daemon(25)))).stream()
                        .map(send -> send.to())
                        .toList());
        assertEquals(List.of(daemon(24)), replicas.daemons(), "the same version again");
    }

    @Test
    void theCopyOfALostOwnerIsTakenOnce() {
        copy(replica(1, 1, DAEMON));
        assertTrue(replicas.has(TWO));
        assertEquals(Optional.of(replica(1, 1, DAEMON)), replicas.take(TWO));
        assertFalse(replicas.has(TWO));
        assertEquals(Optional.empty(), replicas.take(TWO));
    }
}
