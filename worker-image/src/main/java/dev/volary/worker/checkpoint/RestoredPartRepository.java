// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.worker.result.EitherPlace;
import dev.volary.worker.result.PartRepository;
import java.io.IOException;

/**
 * The parts of a job that was restored and saves no checkpoints itself: the parts of the step that it continues from are on the
 * volume.
 *
 * @param results where its own parts are
 * @param volume that it was restored from
 */
record RestoredPartRepository(PartRepository results, JobCheckpoints volume) implements PartRepository {
    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        return results.store(sid, block, values, count);
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        // The volume first: the other one waits for spawners that may have it.
        return EitherPlace.read(
                () -> volume.read(sid, block, count, checksum), () -> results.read(sid, block, count, checksum));
    }
}
