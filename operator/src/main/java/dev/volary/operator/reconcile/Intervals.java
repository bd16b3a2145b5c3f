// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import java.time.Duration;

/**
 * How long an operator waits between its attempts. Messages in the status name the standard ones; tests use shorter ones.
 *
 * @param throttle minimum times between two writes of a status
 * @param shortestPoll time between two polls of spawners whose reports change
 * @param longestPoll time between two polls of spawners whose reports do not change, or that do not answer
 * @param firstRetry time to the first retry of a failed reconciliation; it doubles with each
 * @param longestRetry longest time to a retry of a failed reconciliation
 * @param podRetry time until the API server is requested again to create a pod that it has rejected, or to delete a pod that
 *     is still there
 * @param resourceCheck time between two checks that the objects of a job exist
 */
record Intervals(
        StatusThrottle throttle,
        Duration shortestPoll,
        Duration longestPoll,
        Duration firstRetry,
        Duration longestRetry,
        Duration podRetry,
        Duration resourceCheck) {
    static final Intervals STANDARD = new Intervals(
            StatusThrottle.STANDARD,
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofMinutes(10));
}
