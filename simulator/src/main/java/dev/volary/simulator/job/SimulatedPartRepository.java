// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Recorded parts and complete results. On a volume they outlive all workers; in spawners they are lost with the last one that
 * holds them.
 */
final class SimulatedPartRepository {
    /** Holds what is on a volume. */
    private static final WorkerId VOLUME = new WorkerId(9);

    private static final class Stored {
        private final double[] values;
        private final Set<WorkerId> holders = new HashSet<>();

        Stored(double[] values) {
            this.values = values.clone();
        }

        double[] values() {
            return values;
        }
    }

    private final TreeMap<Long, Map<RecordedBlock, Stored>> parts = new TreeMap<>();
    private final TreeMap<Long, Set<WorkerId>> results = new TreeMap<>();
    private final TreeMap<Long, Set<WorkerId>> everHeld = new TreeMap<>();

    /** On the volume. */
    void put(long sid, RecordedBlock part, double[] values) {
        put(sid, part, values, Set.of(VOLUME));
    }

    void put(long sid, RecordedBlock part, double[] values, Set<WorkerId> holders) {
        Stored stored = parts.computeIfAbsent(sid, s -> new HashMap<>()).computeIfAbsent(part, p -> new Stored(values));
        stored.holders.addAll(holders);
    }

    Optional<double[]> find(long sid, RecordedBlock part) {
        return find(sid, part, holder -> true);
    }

    /** A part, if a holder that can be reached has it. */
    Optional<double[]> find(long sid, RecordedBlock part, Predicate<WorkerId> reachable) {
        return Optional.ofNullable(parts.getOrDefault(sid, Map.of()).get(part))
                .filter(stored -> stored.holders.stream().anyMatch(reachable))
                .map(Stored::values);
    }

    /**
     * A spawner copies a part that it lacks.
     *
     * @return whether it has the part now
     */
    boolean copy(long sid, RecordedBlock part, WorkerId to, Predicate<WorkerId> reachable) {
        Optional<double[]> values = find(sid, part, reachable);
        values.ifPresent(found -> put(sid, part, found, Set.of(to)));
        return values.isPresent();
    }

    /** Parts of snapshots before this one may go. */
    void forget(long before) {
        parts.headMap(before).clear();
    }

    /** A spawner has the complete result of a snapshot. */
    void holdsResult(WorkerId spawner, long sid) {
        results.computeIfAbsent(sid, s -> new HashSet<>()).add(spawner);
        everHeld.computeIfAbsent(sid, s -> new HashSet<>()).add(spawner);
    }

    boolean hasResult(WorkerId spawner, long sid) {
        return results.getOrDefault(sid, Set.of()).contains(spawner);
    }

    /** How many spawners that live have the complete result. */
    int resultHolders(long sid) {
        return results.getOrDefault(sid, Set.of()).size();
    }

    /** How many spawners had the complete result at some time. */
    int resultHoldersEver(long sid) {
        return everHeld.getOrDefault(sid, Set.of()).size();
    }

    /** Removes a worker that ended, with all that only it held. */
    void lost(WorkerId worker) {
        parts.values().forEach(of -> of.values().forEach(stored -> stored.holders.remove(worker)));
        results.values().forEach(holders -> holders.remove(worker));
    }
}
