// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.status.ConditionReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a finished job is deleted. {@code spec.ttlSecondsAfterFinished} counts from the end of the job, and again from the moment
 * at which a client has its result.
 *
 * @param deletion when the job is deleted
 * @param warning when only half of the time is left
 */
record TimeToLive(Instant deletion, Instant warning) {

    /** Of a job that has ended and has a time to live. */
    static Optional<TimeToLive> of(JobObservation observation) {
        Integer seconds = observation.spec().ttlSecondsAfterFinished();
        String completed = observation.status().completionTime();
        if (seconds == null || completed == null) {
            return Optional.empty();
        }
        Instant start = fetchedAt(observation).orElseGet(() -> Instant.parse(completed));
        Duration all = Duration.ofSeconds(seconds);
        return Optional.of(new TimeToLive(start.plus(all), start.plus(all.dividedBy(2))));
    }

    private static Optional<Instant> fetchedAt(JobObservation observation) {
        return observation.status().conditions().stream()
                .filter(condition -> condition.getReason().equals(ConditionReason.ResultFetched.name()))
                .map(Condition::getLastTransitionTime)
                .map(Instant::parse)
                .findFirst();
    }
}
