// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;

/**
 * The sending end of the data path between two blocks. It keeps its newest values while no daemon serves the other end, and sends
 * them when it is {@link #route routed}; a reader on the same node gets them without touching the network.
 *
 * <p>{@link #begin} and {@link #publish} belong to one compute thread, never wait and allocate nothing; all else may be called
 * from any thread.
 */
public interface OutgoingLink {

    /** The sending block. */
    int from();

    /** The reading block. */
    int to();

    /** Number of values. */
    int length();

    /**
     * The buffer for the next values: {@link #length} of them, previous content undefined. Valid until {@link #publish};
     * calling it again before that returns the same buffer.
     */
    double[] begin();

    /**
     * Hands the buffer of {@link #begin} over. Newest wins: values that were not sent yet are overwritten and counted as
     * conflated. In rounds and in the synchronous scheme the two newest iterations are kept and sent in order.
     *
     * @param incarnation of the sending block
     * @param step time step
     * @param iteration iterations completed
     * @param coarseVersion coarse correction contained in the values, 0 for none
     * @param urgent send at once, without pacing
     */
    void publish(Incarnation incarnation, int step, long iteration, int coarseVersion, boolean urgent);

    /** Sends what was published last (again), at once. Nothing happens if nothing was published. */
    void resend();

    /** Sends the values of exactly this iteration again, at once; false if they are no longer kept. */
    boolean resend(int step, long iteration);

    /**
     * Sends recorded values of a snapshot, in a slot of their own: the newest snapshot wins. Delivered to
     * {@link MeshListener#recordedHalo}.
     *
     * @param hash content hash of the recorded core
     * @param values {@link #length} values; not to be changed afterwards
     */
    void sendRecorded(long sid, int step, Incarnation incarnation, long hash, double[] values);

    /**
     * Sets how long values are useful, so that they are not sent more often than they are worth: the number of this block's
     * iterations after which values that were not renewed double the work that is left. Unknown until it is set.
     */
    void setLifetime(double iterations);

    /** Sets the worker that serves the reading block; the newest values are sent there at once. */
    void route(WorkerId peer);

    /** What this end has seen. */
    LinkTelemetry telemetry();
}
