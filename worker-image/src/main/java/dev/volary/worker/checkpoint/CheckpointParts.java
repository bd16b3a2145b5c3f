// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.solver.Decomposition;
import dev.volary.worker.result.PartFiles;
import dev.volary.worker.result.PartRepository;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;

/** The parts of the snapshots of one epoch, on storage that outlives the workers. */
public interface CheckpointParts extends PartRepository, PartFiles {

    /**
     * The blocks whose part of a snapshot is there with the right number of doubles; says nothing of its values.
     *
     * @throws IOException if the storage cannot be read
     */
    Set<Integer> present(long sid, Decomposition decomposition) throws IOException;

    /** Whether a part that cannot be read is missing or damaged. If not, it may be readable later. */
    boolean isDamage(IOException failure);

    /**
     * Compares a part with its checksum.
     *
     * @throws IOException as {@link #open}
     */
    void verify(long sid, int block, int count, int checksum) throws IOException;

    /**
     * Stores a copy of another repository's part.
     *
     * @throws IOException as {@link #open}, or if it cannot be written here
     */
    void copy(PartFiles from, long sid, int block, int count, int checksum) throws IOException;

    /** Makes parts that are there durable, beyond what {@link #store} does. */
    void force() throws IOException;

    /**
     * Removes the parts of snapshots before this one.
     *
     * @param kept the snapshot whose parts stay
     * @throws IOException if the storage cannot be read
     */
    void forget(long before, OptionalLong kept) throws IOException;
}
