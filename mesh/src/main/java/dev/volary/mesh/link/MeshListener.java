// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;

/**
 * Receives the events of a mesh. Called on the mesh's event loops: {@link #received} always on the control loop, the others on
 * either; implementations hand over and return at once.
 */
public interface MeshListener {

    /**
     * A control message, once and in the order in which {@code from} sent them. Messages of the failure detection arrive at once, at most once,
     * and may get lost.
     */
    void received(WorkerId from, Message message);

    /** The first halo of {@code from} for {@code to} is in its slot, or the first of a newer incarnation. */
    default void firstHalo(int from, int to, BlockVersion key) {}

    /** Recorded values for a snapshot arrived. */
    default void recordedHalo(RecordedHalo halo) {}

    /**
     * Data of {@code block} arrived under an incarnation older than accepted, and was dropped.
     *
     * @param newest that data was taken from; {@code incarnation} if none newer was
     */
    default void staleHalo(int block, Incarnation incarnation, Incarnation newest, WorkerId sender) {}

    /** A control connection to this worker is there. */
    default void connected(Member peer) {}

    /** The last control connection to this worker broke; the mesh goes on trying. */
    default void disconnected(WorkerId peer, String reason) {}

    /**
     * No process listens at this worker's address any more: it has ended. A connection that broke is dialed again at once,
     * so that it ends here or in {@link #connected}.
     */
    default void connectionRefused(WorkerId peer) {}

    /**
     * The peer has received what was sent to it until then; called now and then only.
     *
     * @param sentAt when the newest acknowledged message was sent, {@link System#nanoTime}
     */
    default void acknowledged(WorkerId peer, long sentAt) {}

    /** Too many messages wait for this worker; this one was dropped. */
    default void messageDropped(WorkerId peer, Message message) {}

    /** A message was refused: workers of the sender's role may not send it. It reaches nothing else. */
    default void messageRefused(WorkerId from, Message message) {}

    /**
     * A worker was refused, or one of its messages for the first time, or refused us: wrong authority, job, problem hash, version. The reason names both values.
     *
     * @param peer what is known of the other side: identity or address
     */
    default void refused(String peer, String reason) {}

    /** A frame was dropped; the reason names the field, its value and what was expected. */
    default void corruptFrame(String peer, String reason) {}
}
