// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.solver.Decomposition;
import dev.volary.worker.result.FilePartRepository;
import java.io.IOException;
import java.util.List;

/**
 * The checkpoints of a job on storage that outlives its workers. A checkpoint is the parts of one snapshot and a manifest, which
 * is written last. Jobs of the same name that write one after the other have an epoch each.
 */
interface CheckpointRepository {

    /**
     * What there is, newest first.
     *
     * @param found checkpoints whose manifests are whole
     * @param damaged why others are not
     */
    record Listing(List<StoredCheckpoint> found, List<String> damaged) {}

    /** @throws IOException if the storage cannot be read; one without checkpoints is empty */
    Listing list() throws IOException;

    /** The parts of the snapshots of an epoch. */
    FilePartRepository parts(long epoch);

    /**
     * Whether a part of an epoch is there, with this number of doubles.
     *
     * @throws IOException if the storage cannot be read
     */
    boolean has(long epoch, long sid, int block, int count) throws IOException;

    /**
     * Saves a checkpoint of parts that are durable, and removes what is older than the one before.
     *
     * @throws IOException if a part is not there, or the manifest cannot be written; the checkpoints before stay
     */
    void save(CheckpointManifest manifest, Decomposition decomposition) throws IOException;
}
