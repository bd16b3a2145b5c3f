package dev.volary.operator.spawner;

import dev.volary.crd.api.IterativeJob;
import java.util.List;
import java.util.Optional;

/** A job's spawners, as far as the operator talks to them. Calls block for seconds at most; none throws. */
public interface Spawners extends AutoCloseable {
    /**
     * Asks all of them, and tells them how many daemons are to compute.
     *
     * @param at where they are
     * @return nothing if none answers
     */
    Optional<Report> report(IterativeJob job, List<At> at);

    /** Passes on what the API knows of a pod. */
    void hint(IterativeJob job, List<At> at, String pod, Hint hint);

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
