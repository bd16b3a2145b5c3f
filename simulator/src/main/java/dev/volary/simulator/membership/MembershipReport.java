// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import java.util.List;

/**
 * What came of a simulation.
 *
 * @param scenario its name
 * @param seed of the run
 * @param violations of what must hold; empty if all is well
 * @param delays from each crash to its verdict, in nanoseconds
 * @param mistakes live processes that were declared, with or without excuse
 * @param messagesPerSecond sent by a process, in the mean over all of them and the whole run
 * @param suspicions messages to owners that report a suspicion
 * @param batches times at which members were declared dead
 */
public record MembershipReport(
        String scenario,
        long seed,
        List<String> violations,
        List<Long> delays,
        int mistakes,
        double messagesPerSecond,
        int suspicions,
        int batches) {

    public MembershipReport {
        violations = List.copyOf(violations);
        delays = List.copyOf(delays);
    }

    /** The longest time from a crash to its verdict, in seconds; NaN without crash. */
    public double longestSeconds() {
        return delays.stream().mapToDouble(delay -> delay / 1e9).max().orElse(Double.NaN);
    }

    /** The mean time from a crash to its verdict, in seconds; NaN without crash. */
    public double meanSeconds() {
        return delays.stream().mapToDouble(delay -> delay / 1e9).average().orElse(Double.NaN);
    }

    /** One line that runs this again. */
    public String reproduction() {
        return "./mvnw -pl simulator -am test -Dvolary.membership=" + scenario + " -Dvolary.seed=" + seed;
    }

    @Override
    public String toString() {
        return String.format(
                "%s seed %d: %d crashes found (longest %.3f s), %d live ones declared, %.2f messages/s, %d suspicions%s",
                scenario,
                seed,
                delays.size(),
                longestSeconds(),
                mistakes,
                messagesPerSecond,
                suspicions,
                violations.isEmpty() ? "" : "\n  " + String.join("\n  ", violations) + "\n  again: " + reproduction());
    }
}
