// SPDX-License-Identifier: Apache-2.0
/**
 * Injects network faults on request: delay, loss, duplication, reordering, rate limits and partitions, drawn from a seed. Start at
 * {@link dev.volary.mesh.fault.NetworkFaults}.
 */
@NullMarked
package dev.volary.mesh.fault;

import org.jspecify.annotations.NullMarked;
