// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.simulator.scenario.StorageModel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Storage outside of the workers of a job. Each snapshot's result has a place of its own there. */
final class SimulatedStorage {
    private static final int FAILURES = 3;

    private static final long OUTAGE_NANOS = Duration.ofSeconds(3).toNanos();

    private final StorageModel model;
    private final Set<Long> results = new HashSet<>();
    private int attempts;
    private long firstAttempt;

    SimulatedStorage(StorageModel model) {
        this.model = model;
    }

    /** Takes a result, or fails. */
    boolean put(long sid, long now) {
        attempts++;
        if (attempts == 1) {
            firstAttempt = now;
        }
        boolean takes =
                switch (model) {
                    case NONE, UNAVAILABLE -> false;
                    case RELIABLE -> true;
                    case UNRELIABLE -> attempts > FAILURES;
                    case OUTAGE -> now - firstAttempt >= OUTAGE_NANOS;
                };
        if (takes) {
            results.add(sid);
        }
        return takes;
    }

    boolean has(long sid) {
        return results.contains(sid);
    }
}
