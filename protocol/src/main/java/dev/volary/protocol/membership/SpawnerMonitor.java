// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Failure detection among the spawners; the leader owns it. A verdict on a spawner must be certain (decision 13): it needs the
 * confirmation of a third spawner, of the spawner's own daemons or of daemons on other machines, or a refused connection.
 * Without any of these it is held until the silence has lasted {@link #LONG_SILENCE} timeouts: a leader without daemons of its
 * own has no worker to confirm it. That is not enough while nothing arrives from other machines, since this one may be cut off.
 */
public final class SpawnerMonitor {
    /** In a ring of at most this many spawners, all monitor each other. */
    private static final int ALL_WATCH = 3;

    /** A held verdict counts after this many time-outs. */
    private static final int LONG_SILENCE = 10;

    /** After a machine is connected again, those that live are heard within this many time-outs. */
    private static final int RECONNECTION = 5;

    /**
     * A verdict that no other worker has confirmed yet.
     *
     * @param since when it was found
     * @param connectedAt when something arrived from another machine for the first time since; {@link Long#MAX_VALUE} before
     */
    private record Held(long since, long connectedAt) {
        Held connected(long now) {
            return new Held(since, Math.min(connectedAt, now));
        }
    }

    private final Member self;
    private final FailureDetectorConfig config;
    private final long seed;
    private final MemberListPublisher publisher;
    private final SchedulingDelay delay = new SchedulingDelay(0);
    private FailureDetector detector;
    private MembershipMessage.MemberListUpdate newest;
    private long term;
    private long beginAt = Long.MAX_VALUE;
    private final TreeMap<WorkerId, Long> lastReceivedAt = new TreeMap<>();
    private final Set<WorkerId> refused = new TreeSet<>();
    private final TreeMap<WorkerId, Held> held = new TreeMap<>();

    private final IndirectProbeRequester probes;

    public SpawnerMonitor(Member self, SpawnerConfig job, long seed) {
        this.self = self;
        this.config = FailureDetectorConfig.confirmed(2, job.watch().timeout());
        this.seed = seed;
        this.publisher = new MemberListPublisher(self.id(), job.retry());
        this.detector = new FailureDetector(self.id(), config, seed, delay);
        this.newest = new MembershipMessage.MemberListUpdate(0, self.id(), List.of());
        this.probes = new IndirectProbeRequester(self, config.timeout().toNanos());
    }

    /** Something arrived that cannot come from this machine alone: from a worker on another one, the arbiter or a user. */
    public void arrivedFromOutside(long now) {
        held.replaceAll((suspect, verdict) -> verdict.connected(now));
    }

    /** A message arrived from a spawner. */
    public void arrived(WorkerId spawner, Message message, SpawnerTurn turn) {
        markAlive(spawner, turn);
        detector.arrived(spawner, message, turn);
    }

    /** Takes a sign that a spawner lives or is dead. */
    public void on(WorkerEvent.PeerEvent event, SpawnerTurn turn) {
        switch (event) {
            case WorkerEvent.Acknowledged acknowledged -> markAlive(acknowledged.peer(), turn);
            case WorkerEvent.ConnectionReset reset -> refused.add(reset.peer());
            // The platform may be wrong: only the detector below uses its hint.
            case WorkerEvent.PlatformHint hint -> {}
        }
        detector.on(event, turn);
    }

    private void markAlive(WorkerId spawner, SpawnerTurn turn) {
        lastReceivedAt.put(spawner, turn.now());
        refused.remove(spawner);
        probes.forget(spawner);
        if (held.remove(spawner) != null) {
            // It lives after all: it is monitored again.
            detector = new FailureDetector(self.id(), config, seed, delay);
            detector.updateMembers(MemberListPublisher.toMemberList(newest), turn);
        }
    }

    /** Takes the leader's list of the ring's members; returns those that are in it no longer. */
    public Set<WorkerId> updateMembers(MembershipMessage.MemberListUpdate update, SpawnerTurn turn) {
        turn.send(update.owner(), new MembershipMessage.MemberListAck(update.version()));
        return update.version() > newest.version() ? take(update, turn) : Set.of();
    }

    /** Whether this leader has sent a list, and the spawner is not in it. */
    public boolean isLeftOut(WorkerId leader, WorkerId spawner) {
        boolean isFromLeader = newest.owner().equals(leader) && newest.version() > MemberListPublisher.first(term);
        return isFromLeader && !members().contains(spawner);
    }

    /** The members of the newest list, this spawner included; one that was declared dead here may still be among them. */
    public Set<WorkerId> members() {
        return newest.members().stream().map(Member::id).collect(Collectors.toUnmodifiableSet());
    }

    /** A daemon answers whether it can reach a spawner. */
    public void answered(WorkerId daemon, MembershipMessage.ProbeAnswer answer, long now) {
        probes.answered(daemon, answer, now);
    }

    public void acknowledged(WorkerId spawner, long version) {
        publisher.acknowledged(spawner, version);
    }

    private Set<WorkerId> take(MembershipMessage.MemberListUpdate update, SpawnerTurn turn) {
        Set<WorkerId> removed = new TreeSet<>();
        newest.members().forEach(member -> removed.add(member.id()));
        update.members().forEach(member -> removed.remove(member.id()));
        newest = update;
        detector.updateMembers(MemberListPublisher.toMemberList(update), turn);
        lastReceivedAt.keySet().removeAll(removed);
        refused.removeAll(removed);
        held.keySet().removeAll(removed);
        removed.forEach(probes::forget);
        return removed;
    }

    /**
     * Monitors the spawners there are now.
     *
     * @param leader of this term
     * @param others all but this one
     * @param daemons of this one, and of others as far as they are known
     * @return those that are certainly dead
     */
    public Set<WorkerId> tick(
            WorkerId leader,
            long newestTerm,
            Collection<Member> others,
            Supplier<Collection<Member>> daemons,
            SpawnerTurn turn) {
        if (newestTerm > term) {
            term = newestTerm;
            beginAt = turn.now() + config.timeout().toNanos() / 2;
        }
        if (turn.now() < beginAt) {
            turn.wakeAt(beginAt);
        } else if (leader.equals(self.id())) {
            if (publisher.set(term, withSelf(others), turn.now())) {
                MembershipMessage.MemberListUpdate update = new MembershipMessage.MemberListUpdate(
                        publisher.memberList().version(), leader, withSelf(others));
                Set<WorkerId> unusedOwnList = take(update, turn);
            }
            publisher.tick(turn);
        } else if (newest.version() < MemberListPublisher.first(term)) {
            // The leader may be dead before it has sent a list.
            MembershipMessage.MemberListUpdate own =
                    new MembershipMessage.MemberListUpdate(MemberListPublisher.first(term), leader, withSelf(others));
            Set<WorkerId> unusedAssumedList = take(own, turn);
        }
        // Before its first message a worker may be cold and its connection slow.
        others.forEach(other -> lastReceivedAt.putIfAbsent(
                other.id(), turn.now() + LONG_SILENCE * config.timeout().toNanos()));
        Set<WorkerId> confirmers = confirmers(others);
        if (confirmers.size() < 2) {
            // Each of many spawners monitors only a few of the others, and their watchers confirm what happens to them.
            others.stream()
                    .filter(other -> isSilent(other.id(), turn.now()) && !hasConfirmer(confirmers, other.id()))
                    .forEach(other -> probes.ask(other, daemons.get(), turn));
        }
        Set<WorkerId> certain = new TreeSet<>();
        held.forEach((suspect, verdict) -> {
            long boundAt = boundAt(suspect, verdict, others);
            if (refused.contains(suspect) || probes.isConfirmed(suspect, turn.now()) || turn.now() >= boundAt) {
                certain.add(suspect);
            } else {
                turn.wakeAt(boundAt);
            }
        });
        held.keySet().removeAll(certain);
        for (FailureVerdict verdict : detector.tick(turn)) {
            WorkerId suspect = verdict.member();
            boolean hasThirdSpawner = hasConfirmer(confirmers(others), suspect);
            // A verdict on this spawner arrives as an eviction from the one that declared it.
            if (!suspect.equals(self.id())) {
                if (hasThirdSpawner || refused.contains(suspect) || probes.isConfirmed(suspect, turn.now())) {
                    certain.add(suspect);
                } else {
                    held.put(suspect, new Held(turn.now(), Long.MAX_VALUE));
                }
            }
        }
        return certain;
    }

    /** When a held verdict counts without confirmation. */
    private long boundAt(WorkerId suspect, Held verdict, Collection<Member> others) {
        long boundAt = verdict.since() + LONG_SILENCE * config.timeout().toNanos();
        boolean isElsewhere =
                others.stream().anyMatch(other -> other.id().equals(suspect) && self.isOnAnotherMachine(other));
        if (!isElsewhere) {
            return boundAt;
        } else if (verdict.connectedAt() == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        return Math.max(
                boundAt, verdict.connectedAt() + RECONNECTION * config.timeout().toNanos());
    }

    /** Two of the spawners that can confirm a suspicion of another; all of them if there are fewer. */
    private Set<WorkerId> confirmers(Collection<Member> others) {
        return others.stream()
                .map(Member::id)
                .filter(id -> !held.containsKey(id) && !refused.contains(id))
                .limit(2)
                .collect(Collectors.toSet());
    }

    private static boolean hasConfirmer(Set<WorkerId> confirmers, WorkerId suspect) {
        return confirmers.stream().anyMatch(id -> !id.equals(suspect));
    }

    /** Whether this spawner, too, has reason to suspect another. */
    public boolean isSuspect(WorkerId spawner, long now) {
        boolean silent = newest.members().size() <= ALL_WATCH && isSilent(spawner, now);
        return held.containsKey(spawner) || refused.contains(spawner) || silent;
    }

    /** Whether messages arrive from a spawner on another machine other than the suspect: then this machine is not cut off. */
    public boolean isConnected(Collection<Member> others, WorkerId suspect, long now) {
        return others.stream()
                .anyMatch(other ->
                        !other.id().equals(suspect) && self.isOnAnotherMachine(other) && !isSilent(other.id(), now));
    }

    private boolean isSilent(WorkerId spawner, long now) {
        return now - lastReceivedAt.getOrDefault(spawner, Long.MIN_VALUE / 2)
                >= config.timeout().toNanos() / 2 + detector.allowanceNanos(spawner, now);
    }

    public int entries() {
        return detector.entries()
                + publisher.entries()
                + newest.members().size()
                + lastReceivedAt.size()
                + refused.size()
                + held.size()
                + probes.entries();
    }

    private List<Member> withSelf(Collection<Member> others) {
        List<Member> all = new ArrayList<>(others);
        all.addFirst(self);
        return all;
    }
}
