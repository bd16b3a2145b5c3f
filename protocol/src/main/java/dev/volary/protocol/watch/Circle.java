package dev.volary.protocol.watch;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message.WatchMessage;
import dev.volary.protocol.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The group as one member sees it: who is in it, what is known of each, and when this member beats to whom. */
final class Circle {
    final NodeId self;
    final WatchConfig config;
    final WatchRules rules;
    final SplittableRandom random;
    final Beats beats;
    private final TreeMap<NodeId, Contact> contacts = new TreeMap<>();
    private Ring ring = new Ring(List.of());
    private Optional<NodeId> owner = Optional.empty();
    private List<NodeId> monitors = List.of();
    private long version = Long.MIN_VALUE;

    Circle(NodeId self, WatchConfig config, WatchRules rules, long seed) {
        this.self = self;
        this.config = config;
        this.rules = rules;
        this.random = new SplittableRandom(seed);
        this.beats = new Beats(config, random);
    }

    /** Takes a newer list; returns whether it is newer. What is known of those who stay is kept. */
    boolean members(WatchedMembers members, long now) {
        if (members.version() <= version) {
            return false;
        }
        version = members.version();
        if (!owner.equals(Optional.of(members.owner()))) {
            contacts.values().forEach(Contact::retrial);
        }
        owner = Optional.of(members.owner());
        ring = new Ring(relevant(members));
        if (!ring.has(self)) {
            ring = new Ring(List.of());
            owner = Optional.empty();
        }
        contacts.keySet().removeIf(id -> !ring.has(id));
        beatTo(now);
        watchOver(now);
        return true;
    }

    /** Whom this member needs to know: all, but where all beat to the owner only that. */
    private List<WatchedMember> relevant(WatchedMembers members) {
        if (config.strategy() != Strategy.CENTRALISED || isOwner()) {
            return members.members();
        }
        return members.members().stream()
                .filter(member -> member.id().equals(self) || member.id().equals(members.owner()))
                .toList();
    }

    private void beatTo(long now) {
        List<NodeId> close = watchers();
        List<NodeId> rest = insures()
                ? ring.successors(self, WatchConfig.INSURED).stream()
                        .filter(id -> !close.contains(id))
                        .toList()
                : List.of();
        Set<NodeId> targets = new HashSet<>(close);
        targets.addAll(rest);
        beats.retain(targets);
        beats.add(close, config.heartbeat().toNanos(), true, now);
        beats.add(rest, config.insurance().toNanos(), false, now);
    }

    /** Who watches this member. */
    private List<NodeId> watchers() {
        return switch (config.strategy()) {
            case RING_WITH_CONFIRMATION -> ring.watchersOf(self, config.watchers());
            case RING -> ring.successors(self, 1);
            case CENTRALISED -> owner.filter(id -> !isOwner()).map(List::of).orElse(List.of());
            case RANDOM_MONITORS -> monitors();
        };
    }

    /** Phoenix: random neighbours, kept while they are there. */
    private List<NodeId> monitors() {
        List<NodeId> others = new ArrayList<>(ring.successors(self, WatchConfig.INSURED));
        List<NodeId> chosen =
                new ArrayList<>(monitors.stream().filter(others::contains).toList());
        others.removeAll(chosen);
        while (chosen.size() < config.watchers() && !others.isEmpty()) {
            chosen.add(others.remove(random.nextInt(others.size())));
        }
        monitors = List.copyOf(chosen);
        return monitors;
    }

    private boolean insures() {
        return config.strategy() == Strategy.RING_WITH_CONFIRMATION || config.strategy() == Strategy.RANDOM_MONITORS;
    }

    /** Whose silence is this member's to notice, and how often it should hear from them. */
    private void watchOver(long now) {
        Map<NodeId, Long> duties = duties();
        for (Contact contact : contacts.values()) {
            if (!duties.containsKey(contact.id)) {
                contact.release(config.strategy() == Strategy.RING_WITH_CONFIRMATION);
            }
        }
        duties.forEach((id, interval) -> contact(id).watch(interval, now));
    }

    private Map<NodeId, Long> duties() {
        Map<NodeId, Long> duties = new TreeMap<>();
        long heartbeat = config.heartbeat().toNanos();
        switch (config.strategy()) {
            case RING -> ring.predecessors(self, 1).forEach(id -> duties.put(id, heartbeat));
            case CENTRALISED -> {
                if (isOwner()) {
                    others().forEach(id -> duties.put(id, heartbeat));
                }
            }
            case RING_WITH_CONFIRMATION, RANDOM_MONITORS -> {
                for (NodeId id : ring.predecessors(self, WatchConfig.INSURED)) {
                    duties.put(
                            id, isWatcherOf(id) ? heartbeat : config.insurance().toNanos());
                }
            }
        }
        return duties;
    }

    /** The sender of a heartbeat says when the next one comes; a watcher's own period counts if it is shorter. */
    void nextBeat(Contact from, long interval) {
        from.nextBeat(
                isWatcherOf(from.id) ? Math.min(interval, config.heartbeat().toNanos()) : interval);
    }

    private boolean isWatcherOf(NodeId id) {
        return watchersOf(id).contains(self);
    }

    /** Who watches a member, as far as others can know. */
    List<NodeId> watchersOf(NodeId id) {
        return config.strategy() == Strategy.RING_WITH_CONFIRMATION
                ? ring.watchersOf(id, config.watchers())
                : List.of();
    }

    /** All other members, the next one of the ring first. */
    List<NodeId> others() {
        return ring.successors(self, ring.size());
    }

    boolean has(NodeId id) {
        return ring.has(id) && !id.equals(self);
    }

    Optional<NodeId> owner() {
        return owner;
    }

    boolean isOwner() {
        return owner.filter(self::equals).isPresent();
    }

    /** Whether this member says when another is dead: the owner of all others, the others of the owner. */
    boolean judges(NodeId id) {
        return isOwner() || owner.filter(id::equals).isPresent();
    }

    /** What is known of another member. */
    Contact contact(NodeId id) {
        return contacts.computeIfAbsent(id, Contact::new);
    }

    Iterable<Contact> contacts() {
        return contacts.values();
    }

    void shift(long pause) {
        contacts.values().forEach(contact -> contact.shift(pause));
    }

    void say(NodeId to, WatchMessage message, Actions out, long now) {
        out.send(to, message);
        if (rules.sparesBySent(config.strategy())) {
            beats.spare(to, now);
        }
    }

    int entries() {
        return contacts.values().stream().mapToInt(Contact::entries).sum() + ring.size() + beats.entries();
    }
}
