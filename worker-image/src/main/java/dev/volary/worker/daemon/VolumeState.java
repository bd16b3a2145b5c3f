// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.protocol.model.Scheme;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.worker.checkpoint.StoredCheckpoint;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.EdgePositions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A block's state out of a checkpoint: all halos are of the same vector as the core. */
final class VolumeState {
    private VolumeState() {}

    /** @throws IOException naming the file, if the block's part or a neighbor's is missing or damaged */
    static BlockState of(StoredCheckpoint kept, int block, Decomposition decomposition, Scheme scheme)
            throws IOException {
        List<double[]> halos = new ArrayList<>();
        for (Edge edge : decomposition.incoming(block)) {
            double[] source = kept.part(edge.from(), decomposition);
            int[] positions = EdgePositions.of(
                    decomposition.unknowns(),
                    decomposition.parts().get(edge.from()).core(),
                    edge.values());
            double[] values = new double[positions.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = source[positions[i]];
            }
            halos.add(values);
        }
        long iteration = scheme == Scheme.ASYNCHRONOUS ? kept.iteration(block) : 0;
        return new BlockState(iteration, kept.part(block, decomposition), halos, new byte[0]);
    }
}
