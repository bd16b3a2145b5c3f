// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.solver.Decomposition;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A checkpoint, as its manifest describes it.
 *
 * @param location of its epoch, for messages
 * @param parts of all snapshots of its epoch
 * @param manifest what it says
 * @param record where the values are
 */
public record StoredCheckpoint(
        String location, CheckpointParts parts, CheckpointManifest manifest, CommittedStep record) {

    /** A job that wrote later into the same folder is newer, then a later snapshot. */
    static final Comparator<StoredCheckpoint> BY_AGE = Comparator.<StoredCheckpoint>comparingLong(
                    kept -> kept.manifest.getEpoch())
            .thenComparingLong(kept -> kept.record.sid());

    /** Iterations that a block had completed when it was kept. */
    public long iteration(int block) {
        return block < manifest.getIterationsCount() ? manifest.getIterations(block) : 0;
    }

    /**
     * Values of a block's core.
     *
     * @throws IOException naming the file, if it is missing or damaged
     */
    public double[] part(int block, Decomposition decomposition) throws IOException {
        return parts.read(
                record.sid(), block, count(block, decomposition), stored(block).checksum());
    }

    private StoredPart stored(int block) throws IOException {
        return record.part(block)
                .orElseThrow(() ->
                        new DamagedPartException("the checkpoint in " + location + " has no part of block " + block));
    }

    private static int count(int block, Decomposition decomposition) {
        return decomposition.parts().get(block).core().size();
    }

    /**
     * The newest of these checkpoints whose parts are all whole: every one is read.
     *
     * @param known one that was found whole before
     * @param damaged receives the reasons why newer ones are skipped
     * @throws IOException if one may be readable later
     */
    static Optional<StoredCheckpoint> newestWhole(
            List<StoredCheckpoint> newestFirst,
            Optional<StoredCheckpoint> known,
            Decomposition decomposition,
            List<String> damaged)
            throws IOException {
        for (StoredCheckpoint kept : newestFirst) {
            try {
                if (known.filter(kept::isSame).isEmpty()) {
                    kept.verify(decomposition);
                }
                return Optional.of(kept);
            } catch (IOException e) {
                if (!kept.parts.isDamage(e)) {
                    throw e;
                }
                damaged.add(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private boolean isSame(StoredCheckpoint other) {
        return location.equals(other.location) && manifest.equals(other.manifest);
    }

    /**
     * Reads all parts.
     *
     * @throws IOException naming the first that is missing or damaged
     */
    void verify(Decomposition decomposition) throws IOException {
        for (int block = 0; block < decomposition.blocks(); block++) {
            parts.verify(
                    record.sid(),
                    block,
                    count(block, decomposition),
                    stored(block).checksum());
        }
    }
}
