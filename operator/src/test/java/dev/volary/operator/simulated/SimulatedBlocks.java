// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which daemons of a job serve its two blocks. A daemon keeps its block until it is lost; then a standby takes the block over. */
final class SimulatedBlocks {
    /** Number of blocks of each job. */
    static final int BLOCKS = 2;

    private final Map<String, Instant> servedBy = new LinkedHashMap<>();

    /** @param daemons those that are alive */
    void assign(List<SimulatedProcess> daemons, Instant now) {
        Set<String> alive = new TreeSet<>();
        daemons.forEach(daemon -> alive.add(daemon.podUid()));
        servedBy.keySet().retainAll(alive);
        for (SimulatedProcess daemon : daemons) {
            if (servedBy.size() < BLOCKS) {
                servedBy.putIfAbsent(daemon.podUid(), now);
            }
        }
    }

    boolean isServedBy(SimulatedProcess daemon) {
        return servedBy.containsKey(daemon.podUid());
    }

    /** UIDs of the pods that serve a block, and since when each does. */
    Map<String, Instant> servedBy() {
        return new LinkedHashMap<>(servedBy);
    }
}
