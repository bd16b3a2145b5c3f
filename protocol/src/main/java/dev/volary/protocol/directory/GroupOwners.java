// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which spawner owns which block, as far as this one knows. Of two claims the higher term wins
 * (docs/explanation/replacement-and-fencing.md, "leader election").
 */
public final class GroupOwners {
    private record Owner(GroupTerm term, Member spawner) {}

    private final TreeMap<Integer, Owner> owners = new TreeMap<>();
    private long highest;
    private long version;
    /** The groups as they were at this version: many ask, and seldom has anything changed. */
    private List<TakeoverMessage.GroupPlan> groups = List.of();

    private long groupsAt;

    /** A spawner claims blocks; returns those that it did not have before. */
    public List<Integer> claimed(GroupTerm term, Member spawner, Collection<Integer> blocks) {
        highest = Math.max(highest, term.n());
        List<Integer> gained = new ArrayList<>();
        for (int block : blocks) {
            Owner known = owners.get(block);
            if (known == null || known.term().compareTo(term) < 0) {
                owners.put(block, new Owner(term, spawner));
                gained.add(block);
                version++;
            }
        }
        return gained;
    }

    /** Takes note of a term, whatever it claimed. */
    public void observe(GroupTerm term) {
        highest = Math.max(highest, term.n());
    }

    /** The highest {@code n} of all known terms. */
    public long highestTerm() {
        return highest;
    }

    /** Grows with each change. */
    public long version() {
        return version;
    }

    /** A block's owner. */
    public Optional<Member> ownerOf(int block) {
        return Optional.ofNullable(owners.get(block)).map(Owner::spawner);
    }

    /** The blocks of a spawner, ascending. */
    public List<Integer> blocks(WorkerId spawner) {
        return owners.entrySet().stream()
                .filter(e -> e.getValue().spawner().id().equals(spawner))
                .map(e -> e.getKey())
                .toList();
    }

    /** All groups as they are now. */
    public List<TakeoverMessage.GroupPlan> groups() {
        if (groupsAt != version) {
            groups = collected();
            groupsAt = version;
        }
        return groups;
    }

    private List<TakeoverMessage.GroupPlan> collected() {
        TreeMap<GroupTerm, List<Integer>> blocks = new TreeMap<>();
        TreeMap<GroupTerm, Member> spawners = new TreeMap<>();
        owners.forEach((block, owner) -> {
            blocks.computeIfAbsent(owner.term(), term -> new ArrayList<>()).add(block);
            spawners.put(owner.term(), owner.spawner());
        });
        List<TakeoverMessage.GroupPlan> all = new ArrayList<>();
        spawners.forEach((term, spawner) ->
                all.add(new TakeoverMessage.GroupPlan(term, spawner, blocks.getOrDefault(term, List.of()), 0)));
        return List.copyOf(all);
    }

    /** Entries held. */
    public int entries() {
        return owners.size();
    }
}
