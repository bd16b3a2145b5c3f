// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps the other living spawners of the job, by id, and makes each one reachable. */
final class KnownSpawners {
    private final WorkerId self;
    private final EvictedWorkers evicted;
    private final TreeMap<WorkerId, Member> spawners = new TreeMap<>();

    KnownSpawners(WorkerId self, EvictedWorkers evicted) {
        this.self = self;
        this.evicted = evicted;
    }

    /** Adds a spawner, unless it is this one or was evicted. */
    void add(Member spawner, SpawnerTurn turn) {
        boolean other = !spawner.id().equals(self) && !evicted.contains(spawner.id());
        if (other && !spawner.equals(spawners.put(spawner.id(), spawner))) {
            turn.add(new WorkerAction.AddPeer(spawner));
        }
    }

    /** Forgets a spawner; returns it if it was known. */
    Optional<Member> remove(WorkerId spawner) {
        return Optional.ofNullable(spawners.remove(spawner));
    }

    boolean has(WorkerId spawner) {
        return spawners.containsKey(spawner);
    }

    Optional<Member> find(WorkerId spawner) {
        return Optional.ofNullable(spawners.get(spawner));
    }

    NavigableSet<WorkerId> ids() {
        return Collections.unmodifiableNavigableSet(spawners.navigableKeySet());
    }

    /** All, in the order of their ids. */
    Collection<Member> members() {
        return Collections.unmodifiableCollection(spawners.values());
    }

    int entries() {
        return spawners.size();
    }
}
