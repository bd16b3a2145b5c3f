// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the result of a job durable: daemons write parts with checksums, the leader assembles them into one Zarr array. Start at
 * {@link dev.volary.worker.result.PartRepository}.
 */
@NullMarked
package dev.volary.worker.result;

import org.jspecify.annotations.NullMarked;
