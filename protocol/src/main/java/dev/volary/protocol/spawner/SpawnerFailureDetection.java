// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.membership.SpawnerMonitor;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Detects that other spawners are dead, by the monitor of the spawners and by reports of daemons that lost theirs. Evicts them,
 * and removes them from all that this spawner keeps. What they owned is taken over later ({@link GroupTakeover}).
 */
final class SpawnerFailureDetection {
    private final Member self;
    private final KnownSpawners spawners;
    private final EvictedWorkers evicted;
    private final SpawnerLeadership leadership;
    private final GroupMembers groupMembers;
    private final SpawnerMonitor spawnerMonitor;
    private boolean lostAny;

    SpawnerFailureDetection(
            Member self,
            KnownSpawners spawners,
            EvictedWorkers evicted,
            SpawnerLeadership leadership,
            GroupMembers groupMembers,
            SpawnerMonitor spawnerMonitor) {
        this.self = self;
        this.spawners = spawners;
        this.evicted = evicted;
        this.leadership = leadership;
        this.groupMembers = groupMembers;
        this.spawnerMonitor = spawnerMonitor;
    }

    /** Takes an event as evidence about the other worker, for the monitor of the spawners or of the group's daemons. */
    void observe(SpawnerEvent event, SpawnerTurn turn) {
        boolean isFromElsewhere = isFromElsewhere(event);
        if (isFromElsewhere) {
            groupMembers.monitor().arrivedFromElsewhere(turn.now());
        }
        if (isFromElsewhere || isFromOutside(event)) {
            spawnerMonitor.arrivedFromOutside(turn.now());
        }
        if (event instanceof SpawnerEvent.Received(WorkerId from, ToSpawner message)) {
            if (spawners.has(from)) {
                spawnerMonitor.arrived(from, message, turn);
            } else {
                groupMembers.monitor().arrived(from, message, turn);
            }
        } else if (event instanceof WorkerEvent.PeerEvent peer) {
            if (spawners.has(peer.peer())) {
                spawnerMonitor.on(peer, turn);
            } else {
                groupMembers.monitor().on(peer, turn);
            }
        }
    }

    /** Whether it is a message, or an acknowledgement, from a worker on another machine. */
    private boolean isFromElsewhere(SpawnerEvent event) {
        return switch (event) {
            case SpawnerEvent.Received received -> isOnAnotherMachine(received.from());
            case WorkerEvent.Acknowledged acknowledged -> isOnAnotherMachine(acknowledged.peer());
            default -> false;
        };
    }

    /** Whether it comes from outside the job, so from another machine. */
    private static boolean isFromOutside(SpawnerEvent event) {
        return event instanceof SpawnerEvent.ArbiterAnswered || event instanceof SpawnerEvent.RequestEvent;
    }

    private boolean isOnAnotherMachine(WorkerId worker) {
        return spawners.find(worker)
                .or(() -> groupMembers.reservations().find(worker))
                .filter(self::isOnAnotherMachine)
                .isPresent();
    }

    void received(WorkerId from, MembershipMessage message, SpawnerTurn turn) {
        switch (message) {
            case MembershipMessage.MemberListUpdate list -> {
                if (spawners.has(from)) {
                    list.members().forEach(member -> spawners.add(member, turn));
                    spawnerMonitor.updateMembers(list, turn).forEach(dead -> lost(dead, turn));
                }
            }
            case MembershipMessage.MemberListAck ack -> {
                if (spawners.has(from)) {
                    spawnerMonitor.acknowledged(from, ack.version());
                } else {
                    groupMembers.monitor().acknowledged(from, ack.version());
                }
            }
            case MembershipMessage.ProbeAnswer answer -> spawnerMonitor.answered(from, answer, turn.now());
            // They are evidence: see observe.
            case MembershipMessage.Heartbeat _,
                    MembershipMessage.Probe _,
                    MembershipMessage.Refutation _,
                    MembershipMessage.Suspicions _,
                    MembershipMessage.Departing _,
                    MembershipMessage.VerdictAnnouncement _ -> {}
        }
    }

    /** A daemon's group has lost its spawner. If it seems so from here too, it is certain. */
    void orphaned(RegistrationMessage.SpawnerLost orphan, SpawnerTurn turn) {
        WorkerId lost = orphan.spawner();
        Optional<Member> suspect = spawners.find(lost);
        boolean credible =
                suspect.filter(s -> !self.believes(orphan.daemon(), s)).isEmpty()
                        || spawnerMonitor.isConnected(spawners.members(), lost, turn.now());
        boolean agreed = !lost.equals(self.id())
                && (suspect.isEmpty() || (credible && spawnerMonitor.isSuspect(lost, turn.now())));
        if (agreed) {
            lost(lost, turn);
            if (groupMembers.reservations().register(orphan.daemon(), Optional.empty(), turn)) {
                throw new IllegalStateException("a daemon that names no spawner cannot join a group");
            }
        }
    }

    /** A spawner is dead: a successor takes over its blocks, and if it led, another leader is elected. */
    void lost(WorkerId spawner, SpawnerTurn turn) {
        Optional<Member> member = spawners.remove(spawner);
        boolean known = member.isPresent();
        member.ifPresent(lost -> groupMembers.monitor().spawnerLost(lost, turn.now()));
        if (!spawner.equals(self.id()) && (known || leadership.isLeader(spawner))) {
            if (known) {
                evicted.evict(spawner, turn);
            }
            groupMembers.reservations().spawnerLost(spawner);
            groupMembers.holders().lost(Set.of(spawner), groupMembers.members(), turn);
            leadership.lost(spawner, turn);
            lostAny = true;
        }
    }

    /** The spawners that this one sends heartbeats to. */
    Set<WorkerId> monitored() {
        return spawnerMonitor.members();
    }

    /** Whether the leader's list of living spawners leaves this one out. */
    boolean isLeftOut(WorkerId leader, WorkerId spawner) {
        return spawnerMonitor.isLeftOut(leader, spawner);
    }

    /** Whether a spawner was lost. */
    boolean hasLostAny() {
        return lostAny;
    }

    /** @param daemons of this group, and of others as far as they are known: they can probe a suspect */
    void tick(Optional<WorkerId> leader, Supplier<Collection<Member>> daemons, SpawnerTurn turn) {
        leader.ifPresent(l -> spawnerMonitor
                .tick(l, leadership.term(), spawners.members(), daemons, turn)
                .forEach(dead -> lost(dead, turn)));
    }

    int entries() {
        return spawnerMonitor.entries();
    }
}
