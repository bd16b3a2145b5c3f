// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.solver.Decomposition;
import dev.volary.worker.result.FilePartRepository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;

/**
 * A checkpoint on a volume, as its manifest tells it.
 *
 * @param folder that holds the manifest, and the parts of all snapshots of one epoch
 * @param manifest what it says
 * @param record where the values are
 */
public record StoredCheckpoint(Path folder, CheckpointManifest manifest, CommittedStep record) {

    /** A job that wrote later into the same folder is newer, then a later snapshot. */
    static final Comparator<StoredCheckpoint> BY_AGE = Comparator.<StoredCheckpoint>comparingLong(
                    kept -> kept.manifest.getEpoch())
            .thenComparingLong(kept -> kept.record.sid());

    static StoredCheckpoint read(Path file) throws IOException {
        CheckpointManifest manifest = CheckpointManifestCodec.read(file);
        return new StoredCheckpoint(
                Objects.requireNonNull(file.getParent(), "a manifest is in a folder"),
                manifest,
                Shapes.read(manifest.getRecord()));
    }

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
        StoredPart part = record.part(block)
                .orElseThrow(() -> new IOException("the checkpoint in " + folder + " has no part of block " + block));
        return new FilePartRepository(folder)
                .read(
                        record.sid(),
                        block,
                        decomposition.parts().get(block).core().size(),
                        part.checksum());
    }

    /**
     * Reads all parts.
     *
     * @throws IOException naming the first that is missing or damaged
     */
    void verify(Decomposition decomposition) throws IOException {
        for (int block = 0; block < decomposition.blocks(); block++) {
            double[] ignored = part(block, decomposition);
        }
    }
}
