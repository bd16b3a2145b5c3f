// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.worker.result.EitherPlace;
import dev.volary.worker.result.PartRepository;
import java.io.IOException;

/**
 * The parts of a job whose checkpoints are in an object store. A part that the store does not take is stored as if there were no
 * checkpoints: an outage of the store costs checkpoints, and no result.
 *
 * @param checkpoints in the object store
 * @param results where parts are otherwise
 */
record FallbackPartRepository(PartRepository checkpoints, PartRepository results) implements PartRepository {
    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        try {
            return checkpoints.store(sid, block, values, count);
        } catch (IOException e) {
            System.err.println("block " + block + " of snapshot " + sid + " is in no checkpoint: " + e.getMessage());
            return results.store(sid, block, values, count);
        }
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        return EitherPlace.read(
                () -> checkpoints.read(sid, block, count, checksum), () -> results.read(sid, block, count, checksum));
    }
}
