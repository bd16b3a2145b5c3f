// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The ring of a group. Zones take turns along it, so that a member's successors are in other zones where there are any, and
 * each member monitors about as many as monitor it.
 */
public final class HeartbeatRing {
    private record Place(WatchedMember member, double position, int index) {}

    private final List<WatchedMember> order;
    private final Map<WorkerId, Integer> places = new HashMap<>();
    private final Map<WorkerId, List<WorkerId>> chosen = new HashMap<>();

    HeartbeatRing(List<WatchedMember> members) {
        Map<String, Integer> sizes = new HashMap<>();
        members.forEach(member -> sizes.merge(member.zone(), 1, Integer::sum));
        Map<String, Integer> seen = new HashMap<>();
        List<Place> all = new ArrayList<>();
        for (WatchedMember member : members) {
            int number = seen.merge(member.zone(), 1, Integer::sum);
            double position = (number - 0.5) / sizes.getOrDefault(member.zone(), 1);
            all.add(new Place(member, position, all.size()));
        }
        all.sort(Comparator.comparingDouble(Place::position).thenComparingInt(Place::index));
        this.order = all.stream().map(Place::member).toList();
        for (int i = 0; i < order.size(); i++) {
            places.put(order.get(i).id(), i);
        }
    }

    boolean has(WorkerId id) {
        return places.containsKey(id);
    }

    int size() {
        return order.size();
    }

    /** The member so many steps after another; negative for before. */
    WorkerId after(WorkerId id, int steps) {
        return order.get(Math.floorMod(places.getOrDefault(id, 0) + steps, order.size()))
                .id();
    }

    /** All others, the next one first. */
    List<WorkerId> successors(WorkerId id, int most) {
        List<WorkerId> next = new ArrayList<>();
        for (int i = 1; i < order.size() && next.size() < most; i++) {
            next.add(after(id, i));
        }
        return next;
    }

    /** All others, the previous one first. */
    List<WorkerId> predecessors(WorkerId id, int most) {
        List<WorkerId> before = new ArrayList<>();
        for (int i = 1; i < order.size() && before.size() < most; i++) {
            before.add(after(id, -i));
        }
        return before;
    }

    /**
     * The members that monitor another one: the next ones, of zones that are neither its own nor each other's as long as there
     * are any, then of other zones than its own, then of its own.
     */
    List<WorkerId> watchersOf(WorkerId id, int watchers) {
        return chosen.computeIfAbsent(id, member -> choose(member, watchers));
    }

    private List<WorkerId> choose(WorkerId id, int watchers) {
        String own = zoneOf(id);
        Set<String> taken = new HashSet<>(Set.of(own));
        List<WorkerId> next = new ArrayList<>();
        choose(id, watchers, next, zone -> taken.add(zone));
        choose(id, watchers, next, zone -> !zone.equals(own));
        choose(id, watchers, next, zone -> true);
        return List.copyOf(next);
    }

    private void choose(WorkerId id, int most, List<WorkerId> next, Predicate<String> suits) {
        for (int i = 1; i < order.size() && next.size() < most; i++) {
            WorkerId member = after(id, i);
            if (!next.contains(member) && suits.test(zoneOf(member))) {
                next.add(member);
            }
        }
    }

    private String zoneOf(WorkerId id) {
        return order.get(places.getOrDefault(id, 0)).zone();
    }
}
