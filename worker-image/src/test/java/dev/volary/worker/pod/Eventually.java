// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.awaitility.Awaitility.await;

import dev.volary.mesh.v1.StatusReply;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Asks until there is an answer. A worker that cannot be reached yet gives none.
 *
 * @param output what the workers have written to their logs, for the failure
 */
record Eventually(Supplier<String> output) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN = Duration.ofMillis(100);

    /** What is waited for in the leader's status. */
    interface Wanted {
        boolean holds(StatusReply status) throws IOException;
    }

    /** The first status of the job's leader that is as wanted. */
    StatusReply leader(PodJob job, Wanted wanted) {
        return get(() -> {
            Optional<StatusReply> leader = job.leaderStatus();
            return leader.isPresent() && wanted.holds(leader.get()) ? leader : Optional.empty();
        });
    }

    <T> T get(Callable<Optional<T>> question) {
        try {
            return await().atMost(PATIENCE)
                    .pollInterval(BETWEEN)
                    .until(
                            () -> {
                                try {
                                    return question.call();
                                } catch (IOException notYet) {
                                    return Optional.<T>empty();
                                }
                            },
                            Optional::isPresent)
                    .orElseThrow();
        } catch (RuntimeException e) {
            throw new AssertionError(output.get(), e);
        }
    }
}
