// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Calls the spawners of a job. Calls block for at most some seconds, except {@link #checkpoint}. */
public interface SpawnerClients extends AutoCloseable {
    /**
     * Polls all spawners, and sends them the requested number of computing daemons.
     *
     * @param at addresses of the spawners
     * @return empty if none answers
     * @throws IOException if none can be called, because the operator has no identity for this job
     */
    Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException;

    /**
     * Sends the state of a pod to all spawners.
     *
     * @throws IOException if at least one of them did not receive it
     */
    void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException;

    /** Requests a snapshot, and waits up to two minutes until it is complete. */
    Checkpoint checkpoint(IterativeJob job, List<At> at);

    /** Forgets a deleted job. */
    void forget(String uid);

    @Override
    void close();

    /** A spawner's pod and its address. */
    record At(String pod, String address) {}

    /** What the platform does with a pod. */
    enum Hint {
        /** It will end soon. */
        LEAVING,
        /** It has ended. */
        GONE
    }

    /**
     * Answer to a checkpoint request.
     *
     * @param taken whether a snapshot was taken
     * @param message the residual, or why no snapshot was taken
     */
    record Checkpoint(boolean taken, String message) {}
}
