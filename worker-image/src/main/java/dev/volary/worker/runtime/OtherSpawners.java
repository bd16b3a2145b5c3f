// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.protocol.model.Member;
import java.io.IOException;
import java.util.Optional;

/**
 * The parts and results that spawners of a job on a cluster keep for each other. {@link #fetchPart}, {@link #holdParts}, {@link #copyResult} and {@link #jobEnded} block:
 * any thread but an event loop's may call them.
 */
public interface OtherSpawners {
    /**
     * Copies a part that another spawner has stored into this spawner's spool.
     *
     * @param count number of doubles it must hold
     * @param checksum CRC-32C it must have
     * @throws IOException if no spawner has it, or it cannot be stored here
     */
    void fetchPart(long sid, int block, int count, int checksum) throws IOException;

    /**
     * Makes a spawner hold parts of a snapshot; returns when all are durable there.
     *
     * @param self this spawner
     * @param by this spawner or another one
     * @throws IOException if it cannot be reached, or lacks parts that no spawner has
     */
    void holdParts(Member self, Member by, HoldPartsRequest parts) throws IOException;

    /** Whether the whole result of this snapshot is in this spawner's spool. */
    boolean hasResult(long sid);

    /**
     * Gives another spawner a copy of the result in this spawner's spool; returns when the copy is durable there.
     *
     * @param self this spawner
     * @throws IOException if there is no copy
     */
    void copyResult(Member self, Member to, PendingResult result) throws IOException;

    /** Requests that all other spawners delete the parts of snapshots before this one; those that do not answer keep them. */
    void deletePartsElsewhere(long before);

    /**
     * The job is over. A copy of its result, kept for another spawner, becomes this spawner's result.
     *
     * @param failure why the job ended without a result, if so
     */
    void jobEnded(Optional<String> failure);
}
