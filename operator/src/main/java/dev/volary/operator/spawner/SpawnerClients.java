// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A job's spawners, as far as the operator talks to them. Calls block for seconds at most. */
public interface SpawnerClients extends AutoCloseable {
    /**
     * Asks all of them, and tells them how many daemons are to compute.
     *
     * @param at where they are
     * @return nothing if none answers
     * @throws IOException if none could be asked: what the operator proves itself with is not there
     */
    Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException;

    /**
     * Passes on what the API knows of a pod.
     *
     * @throws IOException if at least one of them does not know it now
     */
    void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException;

    /** Asks for a snapshot, and waits until it has closed. */
    Checkpoint checkpoint(IterativeJob job, List<At> at);

    /** Forgets a job that is no more. */
    void forget(String uid);

    @Override
    void close();

    /** A spawner's pod and its address. */
    record At(String pod, String address) {}

    /** What the API knows of a pod. */
    enum Hint {
        /** It will be ended soon. */
        LEAVING,
        /** It has ended. */
        GONE
    }

    /**
     * What came of a request for a snapshot.
     *
     * @param taken whether one was taken
     * @param message the residual, or why none was taken
     */
    record Checkpoint(boolean taken, String message) {}
}
