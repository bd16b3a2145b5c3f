// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.simulator.scenario.StorageModel;
import java.util.HashSet;
import java.util.Set;

/** Storage outside of the workers of a job. Each snapshot's result has a place of its own there. */
final class SimulatedStorage {
    private static final int FAILURES = 3;

    private final StorageModel model;
    private final Set<Long> results = new HashSet<>();
    private int attempts;

    SimulatedStorage(StorageModel model) {
        this.model = model;
    }

    /** Takes a result, or fails. */
    boolean put(long sid) {
        attempts++;
        boolean takes =
                switch (model) {
                    case NONE, UNAVAILABLE -> false;
                    case RELIABLE -> true;
                    case UNRELIABLE -> attempts > FAILURES;
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
