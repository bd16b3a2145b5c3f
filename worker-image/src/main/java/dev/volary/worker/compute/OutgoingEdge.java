// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.OutgoingLink;
import dev.volary.solver.Edge;

/**
 * An outgoing edge of a block.
 *
 * @param edge what the neighbor reads
 * @param link carries it
 * @param positions of the edge's values in the core
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
record OutgoingEdge(Edge edge, OutgoingLink link, int[] positions) {

    /** Copies the edge's values out of {@code core}. */
    void gather(double[] core, double[] target) {
        for (int i = 0; i < positions.length; i++) {
            target[i] = core[positions[i]];
        }
    }
}
