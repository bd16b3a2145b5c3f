// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The exits of the workers of one job. */
public final class SimulatedExits {
    private final Map<String, Integer> crashes = new TreeMap<>();
    private final Set<String> failed = new TreeSet<>();
    private int all;

    /**
     * The most failures that may be counted: exits of containers of pods that have failed. Of exits that follow each other quickly
     * a pod shows the last one only.
     */
    public int failures() {
        return failed.stream().mapToInt(crashes::get).sum();
    }

    /** Exits for any reason. */
    public int all() {
        return all;
    }

    void ended() {
        all++;
    }

    void crashed(String podUid, int code, String reason) {
        crashes.merge(podUid, 1, Integer::sum);
        if (code == 1 || code == 3 || reason.equals("OOMKilled")) {
            failed.add(podUid);
        }
    }
}
