// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The groups that a group shares its holders with (docs/explanation/backups-and-checkpoints.md, "buddy groups"): one that
 * has too few holders, or all of them in one zone, asks the owner of another group, its buddy, and from then on
 * both groups have the holders of both, and of whom these share with: a copy that one of them writes is found by all. Lists are
 * sent at each change and every few seconds, and passed on, so nothing else is needed to repair a lost message; a group whose
 * list was not received for a while does not count.
 */
final class BuddyGroups {
    private static final long AGAIN = Duration.ofSeconds(5).toNanos();
    private static final long FORGOTTEN = 3 * AGAIN;

    /** A group, and when its list was received. */
    private record Known(BackupMessage.GroupHolders group, long at) {
        Known without(Collection<WorkerId> dead) {
            List<BackupHolder> left = group.holders().stream()
                    .filter(holder -> !dead.contains(holder.id()))
                    .toList();
            return new Known(new BackupMessage.GroupHolders(group.owner(), group.version(), left), at);
        }
    }

    private final Member self;
    private final TreeMap<WorkerId, Known> groups = new TreeMap<>();
    private final Set<WorkerId> guests = new TreeSet<>();
    private Optional<WorkerId> buddy = Optional.empty();
    private List<BackupHolder> sentHolders = List.of();
    private long version = 1;
    private long sendAt = Long.MIN_VALUE;

    BuddyGroups(Member self) {
        this.self = self;
    }

    /**
     * The owner that this group should share holders with; none if it needs no other holders. In other zones if there are any
     * and the group is in one; else small groups form pairs in the order of their ids, so that clusters of holders stay small.
     *
     * @param holding workers of the group that keep backups; empty if it has no daemon
     * @param copies wanted of each block
     * @param others owners of other groups
     */
    static Optional<WorkerId> choose(Member self, List<Member> holding, int copies, Collection<Member> others) {
        boolean hasDaemons = holding.stream().anyMatch(member -> !member.id().equals(self.id()));
        if (!hasDaemons || others.isEmpty()) {
            return Optional.empty();
        }
        String zone = holding.getFirst().zone();
        boolean oneZone = holding.stream().allMatch(member -> member.zone().equals(zone));
        NavigableSet<WorkerId> elsewhere =
                ids(others.stream().filter(other -> oneZone && !other.zone().equals(zone)));
        if (!elsewhere.isEmpty()) {
            WorkerId next = elsewhere.higher(self.id());
            return Optional.of(next == null ? elsewhere.first() : next);
        }
        if (holding.size() > Math.max(2, copies)) {
            return Optional.empty();
        }
        NavigableSet<WorkerId> ring = ids(others.stream());
        WorkerId before = ring.lower(self.id());
        WorkerId after = ring.higher(self.id());
        boolean even = ring.headSet(self.id()).size() % 2 == 0;
        return Optional.ofNullable(before == null || (even && after != null) ? after : before);
    }

    private static NavigableSet<WorkerId> ids(Stream<Member> members) {
        NavigableSet<WorkerId> ids = new TreeSet<>();
        members.map(Member::id).forEach(ids::add);
        return ids;
    }

    /** Takes the lists of other owners; returns whether holders have changed. Passes on what is new here. */
    boolean received(WorkerId from, BackupMessage.BuddyHolders message, List<BackupHolder> own, SpawnerTurn turn) {
        boolean changed = false;
        List<BackupMessage.GroupHolders> newer = new ArrayList<>();
        for (BackupMessage.GroupHolders group : message.groups()) {
            Known known = groups.get(group.owner());
            boolean other = !group.owner().equals(self.id());
            if (other && (known == null || known.group().version() < group.version())) {
                groups.put(group.owner(), new Known(group, turn.now()));
                newer.add(group);
                changed |= known == null || !known.group().holders().equals(group.holders());
            }
        }
        if (message.asks()) {
            guests.add(from);
            List<BackupMessage.GroupHolders> all = new ArrayList<>();
            all.add(new BackupMessage.GroupHolders(self.id(), version, own));
            groups.values().forEach(known -> all.add(known.group()));
            turn.send(from, new BackupMessage.BuddyHolders(false, all));
        }
        if (!newer.isEmpty()) {
            sendToNeighbors(newer, Optional.of(from), turn);
        }
        return changed;
    }

    private void sendToNeighbors(List<BackupMessage.GroupHolders> news, Optional<WorkerId> source, SpawnerTurn turn) {
        Set<WorkerId> neighbors = new TreeSet<>(guests);
        buddy.ifPresent(neighbors::add);
        source.ifPresent(neighbors::remove);
        neighbors.forEach(id -> turn.send(
                id,
                new BackupMessage.BuddyHolders(
                        source.isEmpty() && buddy.filter(id::equals).isPresent(), news)));
    }

    /** Workers are dead; returns whether one of them was a holder of another group. */
    boolean lost(Collection<WorkerId> dead) {
        boolean any = holders().stream().anyMatch(holder -> dead.contains(holder.id()));
        groups.replaceAll((owner, known) -> known.without(dead));
        guests.removeAll(dead);
        buddy = buddy.filter(id -> !dead.contains(id));
        return any;
    }

    /**
     * Asks for a buddy, sends the own list and forgets old ones; returns whether others' holders have changed.
     *
     * @param own holders whose stores are open
     * @param holding workers of the group that keep backups, once their stores are open
     */
    boolean tick(
            List<BackupHolder> own,
            List<Member> holding,
            int copies,
            Supplier<Collection<Member>> others,
            SpawnerTurn turn) {
        boolean forgot = groups.values().removeIf(known -> turn.now() - known.at() >= FORGOTTEN);
        guests.retainAll(groups.keySet());
        if (own.isEmpty() && guests.isEmpty()) {
            return forgot;
        }
        if (buddy.isEmpty()) {
            buddy = choose(self, holding, copies, others.get());
            sendAt = buddy.isPresent() ? turn.now() : sendAt;
        }
        boolean alone = buddy.isEmpty() && guests.isEmpty();
        if (!alone && (turn.now() >= sendAt || !own.equals(sentHolders))) {
            sentHolders = own;
            sendAt = turn.now() + AGAIN;
            version++;
            sendToNeighbors(List.of(new BackupMessage.GroupHolders(self.id(), version, own)), Optional.empty(), turn);
        }
        if (!alone) {
            turn.wakeAt(sendAt);
        }
        return forgot;
    }

    /** The holders in the other groups, each once. */
    List<BackupHolder> holders() {
        List<BackupHolder> all = new ArrayList<>();
        Set<WorkerId> seen = new HashSet<>();
        groups.values().stream()
                .flatMap(known -> known.group().holders().stream())
                .filter(holder -> seen.add(holder.id()))
                .forEach(all::add);
        return all;
    }

    /** Owners of groups whose daemons find this group's copies, the buddy first. */
    List<WorkerId> owners() {
        return Stream.concat(buddy.filter(groups::containsKey).stream(), groups.keySet().stream())
                .distinct()
                .toList();
    }

    int entries() {
        return guests.size()
                + groups.values().stream()
                        .mapToInt(known -> 1 + known.group().holders().size())
                        .sum();
    }
}
