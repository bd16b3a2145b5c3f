// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;

/**
 * Recorded values of a snapshot, sent to one reader.
 *
 * @param sender the process that sent it
 * @param sid the snapshot
 * @param step time step
 * @param source what was recorded: block, incarnation, content hash
 * @param to the reading block
 * @param values in the order of the edge; the receiver owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record RecordedHalo(WorkerId sender, long sid, int step, RecordedBlock source, int to, double[] values) {}
