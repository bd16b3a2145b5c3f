// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Decides which workers of a simulated job fail, and when. The same times and workers must give the same failures. */
public interface FailureModel {
    /** Nothing ever happens. */
    FailureModel NONE = (now, alive) -> List.of();

    /**
     * A worker that lives.
     *
     * @param name its identity
     * @param isSpawner whether it is a spawner; a daemon otherwise
     * @param zone its failure domain; empty if there are none
     */
    record Candidate(String name, boolean isSpawner, String zone) {}

    /** A fault of one worker. */
    sealed interface Failure {
        /** Its identity. */
        String worker();

        /** Its process ends at once; on a living host, which refuses connections, or with that host. */
        record Crash(String worker, boolean withHost) implements Failure {}

        /** It pauses for this time. */
        record Pause(String worker, Duration time) implements Failure {}

        /** It is asked to leave, and does so in order; a spawner, which cannot, ends as its process does. */
        record Leave(String worker) implements Failure {}
    }

    /**
     * What is due; asked for every ten milliseconds from when all blocks iterate.
     *
     * @param now virtual nanoseconds; never decreases
     * @param alive workers that live, stopped ones included
     */
    List<Failure> due(long now, Collection<Candidate> alive);
}
