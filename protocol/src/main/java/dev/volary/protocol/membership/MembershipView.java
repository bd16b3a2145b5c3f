// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The group as one member sees it: who is in it, what is known of each, and when this member sends heartbeats to whom. */
public final class MembershipView {
    final WorkerId self;
    final FailureDetectorConfig config;
    final MonitoringStrategy strategy;
    final SplittableRandom random;
    final HeartbeatScheduler heartbeats;
    /** How late this member runs. */
    final SchedulingDelay schedulingDelay;

    private final TreeMap<WorkerId, PeerState> peers = new TreeMap<>();
    private HeartbeatRing ring = new HeartbeatRing(List.of());
    private Optional<WorkerId> owner = Optional.empty();
    private long version = Long.MIN_VALUE;
    private long connectedAt = Long.MIN_VALUE / 2;

    MembershipView(WorkerId self, FailureDetectorConfig config, MonitoringStrategy strategy, long seed) {
        this(self, config, strategy, seed, new SchedulingDelay(0));
    }

    /** @param delay of this member's wake-ups so far */
    MembershipView(
            WorkerId self,
            FailureDetectorConfig config,
            MonitoringStrategy strategy,
            long seed,
            SchedulingDelay delay) {
        this.schedulingDelay = delay;
        this.self = self;
        this.config = config;
        this.strategy = strategy;
        this.random = new SplittableRandom(seed);
        this.heartbeats = new HeartbeatScheduler(config, random);
    }

    /** Takes a newer list; returns whether it is newer. What is known of those who stay is kept. */
    boolean updateMembers(MemberList members, long now) {
        if (members.version() <= version) {
            return false;
        }
        version = members.version();
        if (!owner.equals(Optional.of(members.owner()))) {
            peers.values().forEach(PeerState::clearVerdict);
        }
        owner = Optional.of(members.owner());
        ring = new HeartbeatRing(strategy.relevant(members, self));
        if (!ring.has(self)) {
            ring = new HeartbeatRing(List.of());
            owner = Optional.empty();
        }
        peers.keySet().removeIf(id -> !ring.has(id));
        scheduleHeartbeats(now);
        updateDuties(now);
        return true;
    }

    private void scheduleHeartbeats(long now) {
        List<WorkerId> close = strategy.watchers(this);
        List<WorkerId> rest = strategy.insurers(this).stream()
                .filter(id -> !close.contains(id))
                .toList();
        Set<WorkerId> targets = new HashSet<>(close);
        targets.addAll(rest);
        heartbeats.retain(targets);
        heartbeats.add(close, config.heartbeat().toNanos(), true, now);
        heartbeats.add(rest, config.insurance().toNanos(), false, now);
    }

    /** Updates which members this one monitors, and how often their heartbeats are due. */
    private void updateDuties(long now) {
        Map<WorkerId, Long> duties = strategy.duties(this);
        for (PeerState peer : peers.values()) {
            if (!duties.containsKey(peer.id)) {
                peer.release(strategy.releasesAfterNextMessage());
            }
        }
        duties.forEach((id, interval) -> peer(id).monitor(interval, now));
    }

    /** A message has come from another machine: this one is not cut off. */
    void connected(long now) {
        connectedAt = now;
    }

    /** Whether a message has come from another machine within half a time-out. */
    boolean isConnected(long now) {
        return now - connectedAt < config.timeout().toNanos() / 2;
    }

    /** A heartbeat announces when the next one comes; a watcher's own period counts if it is shorter. */
    void expectHeartbeat(PeerState from, long interval) {
        from.expectHeartbeat(
                isWatcherOf(from.id) ? Math.min(interval, config.heartbeat().toNanos()) : interval);
    }

    private boolean isWatcherOf(WorkerId id) {
        return watchersOf(id).contains(self);
    }

    /** The members that monitor another one, as far as all can know. */
    List<WorkerId> watchersOf(WorkerId id) {
        return strategy.watchersOf(id, ring);
    }

    HeartbeatRing ring() {
        return ring;
    }

    /** All other members, the next one of the ring first. */
    List<WorkerId> others() {
        return ring.successors(self, ring.size());
    }

    boolean has(WorkerId id) {
        return ring.has(id) && !id.equals(self);
    }

    Optional<WorkerId> owner() {
        return owner;
    }

    boolean isOwner() {
        return owner.filter(self::equals).isPresent();
    }

    /** Whether this member declares another one dead: the owner declares all others, the others declare the owner. */
    boolean judges(WorkerId id) {
        return isOwner() || owner.filter(id::equals).isPresent();
    }

    /** What is known of another member. */
    PeerState peer(WorkerId id) {
        return peers.computeIfAbsent(id, PeerState::new);
    }

    /**
     * How late the wake-ups of another member are, in nanoseconds, as far as this one knows. They count as at least as late as
     * its own: the other's newest delays may be unknown, and it may run on the same machine.
     */
    long delayNanos(PeerState member, long now) {
        return Math.max(member.delayNanos, schedulingDelay.longest(now));
    }

    Iterable<PeerState> peers() {
        return peers.values();
    }

    void shift(long pause) {
        peers.values().forEach(peer -> peer.shift(pause));
    }

    void send(WorkerId to, MembershipMessage.PeerMessage message, Turn turn) {
        turn.send(to, message);
        if (strategy.sentTrafficReplacesHeartbeat()) {
            heartbeats.postpone(to, turn.now());
        }
    }

    int entries() {
        return peers.values().stream().mapToInt(PeerState::entries).sum() + ring.size() + heartbeats.entries();
    }
}
