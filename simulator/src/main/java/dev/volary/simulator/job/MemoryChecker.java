// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.Member;
import dev.volary.simulator.scenario.Scenario;
import java.util.function.Consumer;

/** Checks that no worker and no control link holds more than the size of the job explains. */
final class MemoryChecker {
    private static final int ENTRIES_EACH = 30;

    /** Evicted workers that a spawner may remember. */
    private static final int EVICTED = 64;

    private final int mostEntries;
    private final Consumer<String> violated;

    MemoryChecker(Scenario scenario, int edges, Consumer<String> violated) {
        this.mostEntries = ENTRIES_EACH * (edges + scenario.daemons() + scenario.spawners()) + EVICTED;
        this.violated = violated;
    }

    /** A worker holds this number of entries in all its collections. */
    void memoryUsed(Member member, int entries) {
        if (entries > mostEntries) {
            violated.accept(member.name() + " holds " + entries + " entries, more than " + mostEntries);
        }
    }

    /** A control link holds messages that are not acknowledged, and messages that arrived before earlier ones. */
    void linkUsed(Member member, int outstanding, int early, int capacity) {
        if (outstanding > capacity || early > capacity) {
            violated.accept(
                    "a control link of " + member.name() + " holds " + outstanding + " and " + early + " messages");
        }
    }
}
