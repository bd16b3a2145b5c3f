// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.List;

/**
 * A vector above the tolerance that a job ends with if its deadline comes: no snapshot whose parts were stored has a smaller
 * residual.
 *
 * @param sid the snapshot
 * @param residual certified bound of its absolute residual
 * @param iterations of a block on average, when it was recorded
 * @param parts where its values are, by block ascending
 */
public record KeptAnswer(long sid, double residual, long iterations, List<SnapshotMessage.StoredPart> parts) {
    public KeptAnswer {
        parts = List.copyOf(parts);
    }
}
