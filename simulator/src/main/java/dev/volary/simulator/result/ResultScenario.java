// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.result;

import java.util.stream.Stream;

/** What happens to spawners between the end of their job and the fetch of its result. */
public enum ResultScenario {
    /** Nothing. */
    CALM("calm", 2),
    /** Single answers are late; nobody is lost, and nothing may be copied. */
    SILENT_MOMENTS("silent-moments", 4),
    /** Holders die one after the other. */
    KILLS("kills", 2),
    /** The same with spawners that do not hold the result. */
    KILLS_OF_MANY("kills-of-many", 4),
    /** All spawners are evicted, one after the other. */
    EVICTIONS("evictions", 2),
    /** All spawners are evicted within a second, as when a person deletes their pods. */
    EVICTIONS_AT_ONCE("evictions-at-once", 2),
    /** A holder dies, and the other one is evicted before there is a second copy. */
    EVICTION_AFTER_KILL("eviction-after-kill", 2),
    /** A holder dies with its machine, which the operator notices late, and the other one is evicted. */
    LOST_MACHINE("lost-machine", 2),
    /** Containers end and start again, with what they have on disk. */
    RESTARTS("restarts", 2),
    /** Holders do not see each other for a while. */
    CUTS("cuts", 3),
    /** The only spawner of a job is evicted. */
    ONE_SPAWNER("one-spawner", 1),
    /** All of it. */
    STORM("storm", 3);

    private final String label;
    private final int spawners;

    ResultScenario(String label, int spawners) {
        this.label = label;
        this.spawners = spawners;
    }

    /** Number of spawners at the end of the job. */
    int spawners() {
        return spawners;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /**
     * The scenario of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ResultScenario named(String label) {
        return Stream.of(values())
                .filter(scenario -> scenario.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario " + label));
    }
}
