// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A worker's part of its group's backup store, in scenarios where stores open late: open some time after the request, and joined
 * with others some time after it knows them.
 */
final class SimulatedBackupStore {
    private static final long MOST_OPEN_NANOS = 200_000_000;
    private static final long JOIN_NANOS = 30_000_000;
    private static final long LOOK_AGAIN_NANOS = 5_000_000;

    private final SimulatedWorker node;
    private final TreeMap<WorkerId, Long> knownSince = new TreeMap<>();
    private boolean asked;
    private boolean open;
    private boolean alone;

    SimulatedBackupStore(SimulatedWorker node) {
        this.node = node;
    }

    /** Opens it in the background; idempotent. */
    void open() {
        if (asked) {
            return;
        }
        asked = true;
        node.later(node.simulation.random.nextLong(MOST_OPEN_NANOS), () -> {
            open = true;
            knownSince.replaceAll((id, since) -> node.simulation.queue.now());
            node.handle(new WorkerEvent.BackupStoreOpened(
                    new BackupHolder(node.member.id(), node.member.name(), node.member.zone(), node.member.address())));
        });
    }

    /** From now on it finds no other store. */
    void isolate() {
        alone = true;
    }

    /** It finds no other store for this time. */
    void isolate(long nanos) {
        alone = true;
        node.later(nanos, () -> alone = false);
    }

    /** Sets the holders of the group. */
    void holders(List<BackupHolder> holders) {
        Set<WorkerId> ids = holders.stream().map(BackupHolder::id).collect(Collectors.toSet());
        knownSince.keySet().retainAll(ids);
        holders.forEach(holder -> knownSince.putIfAbsent(holder.id(), node.simulation.queue.now()));
        knownSince.remove(node.member.id());
    }

    /** Goes on once all holders can be asked for what they have; after a while without those that cannot. */
    void search(long patience, Runnable then) {
        boolean complete = !asked || (open && reachable().size() == knownSince.size());
        if (complete || patience <= 0) {
            then.run();
        } else {
            node.later(LOOK_AGAIN_NANOS, () -> search(patience - LOOK_AGAIN_NANOS, then));
        }
    }

    /** Others that copies can be written to, and looked for at, by id. */
    List<WorkerId> reachable() {
        if (!open || alone) {
            return List.of();
        }
        long now = node.simulation.queue.now();
        return knownSince.entrySet().stream()
                .filter(known -> now >= known.getValue() + JOIN_NANOS)
                .map(Map.Entry::getKey)
                .filter(id -> Optional.ofNullable(node.simulation.nodes.get(id))
                        .filter(other -> other.store.open)
                        .isPresent())
                .toList();
    }
}
