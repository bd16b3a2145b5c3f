// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.time.Duration;

/**
 * How long an iteration of a simulated job takes.
 *
 * @param shortest however few unknowns a block has
 * @param updatesPerSecond of single unknowns, in the units of {@code Subdomain.work()}
 */
public record IterationCost(Duration shortest, double updatesPerSecond) {
    private static final double USUAL_UPDATES_PER_SECOND = 4e8;

    /** As on a core of today, but at least this long. */
    public static IterationCost atLeast(Duration shortest) {
        return new IterationCost(shortest, USUAL_UPDATES_PER_SECOND);
    }
}
