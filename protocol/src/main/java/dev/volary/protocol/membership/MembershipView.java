// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.MonitoringStrategy;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The group as one member sees it: who is in it, what is known of each, and when this member beats to whom. */
public final class MembershipView {
    final WorkerId self;
    final FailureDetectorConfig config;
    final WatchRules rules;
    final SplittableRandom random;
    final HeartbeatScheduler beats;
    private final TreeMap<WorkerId, PeerState> contacts = new TreeMap<>();
    private HeartbeatRing ring = new HeartbeatRing(List.of());
    private Optional<WorkerId> owner = Optional.empty();
    private List<WorkerId> monitors = List.of();
    private long version = Long.MIN_VALUE;

    MembershipView(WorkerId self, FailureDetectorConfig config, WatchRules rules, long seed) {
        this.self = self;
        this.config = config;
        this.rules = rules;
        this.random = new SplittableRandom(seed);
        this.beats = new HeartbeatScheduler(config, random);
    }

    /** Takes a newer list; returns whether it is newer. What is known of those who stay is kept. */
    boolean members(MemberList members, long now) {
        if (members.version() <= version) {
            return false;
        }
        version = members.version();
        if (!owner.equals(Optional.of(members.owner()))) {
            contacts.values().forEach(PeerState::retrial);
        }
        owner = Optional.of(members.owner());
        ring = new HeartbeatRing(relevant(members));
        if (!ring.has(self)) {
            ring = new HeartbeatRing(List.of());
            owner = Optional.empty();
        }
        contacts.keySet().removeIf(id -> !ring.has(id));
        beatTo(now);
        watchOver(now);
        return true;
    }

    /** Whom this member needs to know: all, but where all beat to the owner only that. */
    private List<WatchedMember> relevant(MemberList members) {
        if (config.strategy() != MonitoringStrategy.CENTRALISED || isOwner()) {
            return members.members();
        }
        return members.members().stream()
                .filter(member -> member.id().equals(self) || member.id().equals(members.owner()))
                .toList();
    }

    private void beatTo(long now) {
        List<WorkerId> close = watchers();
        List<WorkerId> rest = insures()
                ? ring.successors(self, FailureDetectorConfig.INSURED).stream()
                        .filter(id -> !close.contains(id))
                        .toList()
                : List.of();
        Set<WorkerId> targets = new HashSet<>(close);
        targets.addAll(rest);
        beats.retain(targets);
        beats.add(close, config.heartbeat().toNanos(), true, now);
        beats.add(rest, config.insurance().toNanos(), false, now);
    }

    /** Who watches this member. */
    private List<WorkerId> watchers() {
        return switch (config.strategy()) {
            case RING_WITH_CONFIRMATION -> ring.watchersOf(self, config.watchers());
            case RING -> ring.successors(self, 1);
            case CENTRALISED -> owner.filter(id -> !isOwner()).map(List::of).orElse(List.of());
            case RANDOM_MONITORS -> monitors();
        };
    }

    /** Phoenix: random neighbors, kept while they are there. */
    private List<WorkerId> monitors() {
        List<WorkerId> others = new ArrayList<>(ring.successors(self, FailureDetectorConfig.INSURED));
        List<WorkerId> chosen =
                new ArrayList<>(monitors.stream().filter(others::contains).toList());
        others.removeAll(chosen);
        while (chosen.size() < config.watchers() && !others.isEmpty()) {
            chosen.add(others.remove(random.nextInt(others.size())));
        }
        monitors = List.copyOf(chosen);
        return monitors;
    }

    private boolean insures() {
        return config.strategy() == MonitoringStrategy.RING_WITH_CONFIRMATION
                || config.strategy() == MonitoringStrategy.RANDOM_MONITORS;
    }

    /** Whose silence is this member's to notice, and how often it should hear from them. */
    private void watchOver(long now) {
        Map<WorkerId, Long> duties = duties();
        for (PeerState contact : contacts.values()) {
            if (!duties.containsKey(contact.id)) {
                contact.release(config.strategy() == MonitoringStrategy.RING_WITH_CONFIRMATION);
            }
        }
        duties.forEach((id, interval) -> contact(id).watch(interval, now));
    }

    private Map<WorkerId, Long> duties() {
        Map<WorkerId, Long> duties = new TreeMap<>();
        long heartbeat = config.heartbeat().toNanos();
        switch (config.strategy()) {
            case RING -> ring.predecessors(self, 1).forEach(id -> duties.put(id, heartbeat));
            case CENTRALISED -> {
                if (isOwner()) {
                    others().forEach(id -> duties.put(id, heartbeat));
                }
            }
            case RING_WITH_CONFIRMATION, RANDOM_MONITORS -> {
                for (WorkerId id : ring.predecessors(self, FailureDetectorConfig.INSURED)) {
                    duties.put(
                            id, isWatcherOf(id) ? heartbeat : config.insurance().toNanos());
                }
            }
        }
        return duties;
    }

    /** The sender of a heartbeat says when the next one comes; a watcher's own period counts if it is shorter. */
    void nextBeat(PeerState from, long interval) {
        from.nextBeat(
                isWatcherOf(from.id) ? Math.min(interval, config.heartbeat().toNanos()) : interval);
    }

    private boolean isWatcherOf(WorkerId id) {
        return watchersOf(id).contains(self);
    }

    /** Who watches a member, as far as others can know. */
    List<WorkerId> watchersOf(WorkerId id) {
        return config.strategy() == MonitoringStrategy.RING_WITH_CONFIRMATION
                ? ring.watchersOf(id, config.watchers())
                : List.of();
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

    /** Whether this member says when another is dead: the owner of all others, the others of the owner. */
    boolean judges(WorkerId id) {
        return isOwner() || owner.filter(id::equals).isPresent();
    }

    /** What is known of another member. */
    PeerState contact(WorkerId id) {
        return contacts.computeIfAbsent(id, PeerState::new);
    }

    Iterable<PeerState> contacts() {
        return contacts.values();
    }

    void shift(long pause) {
        contacts.values().forEach(contact -> contact.shift(pause));
    }

    void say(WorkerId to, MembershipMessage.PeerMessage message, Turn turn) {
        turn.send(to, message);
        if (rules.sparesBySent(config.strategy())) {
            beats.spare(to, turn.now());
        }
    }

    int entries() {
        return contacts.values().stream().mapToInt(PeerState::entries).sum() + ring.size() + beats.entries();
    }
}
