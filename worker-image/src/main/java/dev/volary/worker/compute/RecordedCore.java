// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.protocol.model.Incarnation;

/**
 * A block's part of a snapshot.
 *
 * @param sid the snapshot
 * @param incarnation that recorded it
 * @param core copied at an iteration boundary; not changed while the record is in use
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as the snapshot
public record RecordedCore(long sid, Incarnation incarnation, double[] core) {}
