// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import dev.volary.protocol.model.Incarnation;

/**
 * The receiving end of the data path between two blocks. Values and key of the frame in use stay as they are until the compute
 * thread takes another one.
 *
 * <p>All methods belong to one compute thread, except {@link #acceptFrom}, {@link #onArrival} and {@link #telemetry}.
 */
public sealed interface IncomingLink permits NewestWinsLink, LockStepLink {

    /** The sending block. */
    int from();

    /** The reading block. */
    int to();

    /** Number of values. */
    int length();

    /** From now on drops values of older incarnations and reports them to {@link MeshListener#staleHalo}. Never decreases. */
    void acceptFrom(Incarnation oldest);

    /**
     * Calls this whenever values were offered to the slot, on the thread that brings them; it must return at once. Replaces an
     * earlier one.
     */
    void onArrival(Runnable wake);

    /** Whether any values were taken yet. */
    boolean hasValues();

    /** The values in use: {@link #length} of them, all zero before the first; not to be changed, the same until the next take. */
    double[] values();

    /**
     * Incarnation of the values in use.
     *
     * @throws IllegalStateException if none were taken yet
     */
    Incarnation incarnation();

    /** Time step of the values in use. */
    int step();

    /** Iteration of the sending block that made the values in use. */
    long iteration();

    /** Coarse correction contained in the values in use. */
    int coarseVersion();

    /** {@link System#nanoTime} at which the values in use arrived; 0 before the first. */
    long arrivedNanos();

    /** What this end has seen. */
    LinkTelemetry telemetry();
}
