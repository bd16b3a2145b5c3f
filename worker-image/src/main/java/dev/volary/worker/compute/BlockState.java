// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;

/**
 * All that a block needs to go on elsewhere, copied at an iteration boundary.
 *
 * @param step it was in; 0 for a stationary problem
 * @param iteration iterations completed, those of earlier incarnations included as far as they were restored
 * @param core owned values
 * @param halos those in use, one for each incoming edge
 * @param extra what {@link dev.volary.solver.Block#save} wrote
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as the backup
public record BlockState(int step, long iteration, double[] core, List<double[]> halos, byte[] extra) {
    public BlockState {
        halos = List.copyOf(halos);
    }

    /** The state of a stationary problem, or of a block whose {@code extra} contains the step. */
    public BlockState(long iteration, double[] core, List<double[]> halos, byte[] extra) {
        this(0, iteration, core, halos, extra);
    }

    /**
     * Gives a block this state.
     *
     * @param used the halos that it continues with
     * @throws IOException if the block cannot read what it saved
     */
    void restoreTo(Block block, Halos used) throws IOException {
        block.setCore(core, used);
        if (extra.length > 0) { // a vector from a volume has no extra state
            block.load(new DataInputStream(new ByteArrayInputStream(extra)));
        }
    }

    /** Size of all values. */
    public long bytes() {
        long values =
                core.length + halos.stream().mapToLong(halo -> halo.length).sum();
        return Double.BYTES * values + extra.length;
    }
}
