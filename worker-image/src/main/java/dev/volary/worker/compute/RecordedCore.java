// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;

/**
 * A block's part of a snapshot.
 *
 * @param sid the snapshot
 * @param name of the block and what it recorded
 * @param iteration how many iterations the block had completed
 * @param core copied at an iteration boundary; not changed while the record is in use
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as the snapshot
public record RecordedCore(long sid, RecordedBlock name, long iteration, double[] core) {

    /** Names the core by its content. On the compute thread: those of other blocks do the same meanwhile. */
    static RecordedCore of(long sid, int block, Incarnation incarnation, long iteration, double[] core) {
        RecordedBlock name = new RecordedBlock(block, incarnation, ContentHash.of(core, core.length));
        return new RecordedCore(sid, name, iteration, core);
    }
}
