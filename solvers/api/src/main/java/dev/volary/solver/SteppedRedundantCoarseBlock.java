// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.List;

/** A {@link RedundantCoarseBlock} of a model that marches in time. Each step begins with the coarse solution of the last. */
final class SteppedRedundantCoarseBlock extends RedundantCoarseBlock implements SteppedBlock {
    private final SteppedBlock stepped;

    /**
     * @param block also a {@link SteppedBlock}
     */
    SteppedRedundantCoarseBlock(
            RoundBlock block, CoarseBlock coarse, Decomposition own, CoarseSizes sizes, int id, List<Edge> incoming) {
        super(block, coarse, own, sizes, id, incoming);
        stepped = (SteppedBlock) block;
    }

    @Override
    public int step() {
        return stepped.step();
    }

    @Override
    public void commit(double[] certified, Halos halos) {
        stepped.commit(certified, ofNeighbors(halos));
        stepBegun();
    }
}
