package dev.volary.simulator;

import dev.volary.protocol.Recorded;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The result sink: it outlives all workers, and keeps exactly what it was given until it may forget it. */
final class Sink {
    private final TreeMap<Long, Map<Recorded, double[]>> parts = new TreeMap<>();

    void put(long sid, Recorded part, double[] values) {
        parts.computeIfAbsent(sid, s -> new HashMap<>()).put(part, values.clone());
    }

    Optional<double[]> find(long sid, Recorded part) {
        return Optional.ofNullable(parts.getOrDefault(sid, Map.of()).get(part));
    }

    /** Parts of snapshots before this one may go. */
    void forget(long before) {
        parts.headMap(before).clear();
    }
}
