// SPDX-License-Identifier: Apache-2.0
/**
 * A worker of a job, and the role of a spawner. Start at {@link dev.volary.worker.Worker}: it connects a machine of the protocols
 * with the mesh and with the runtime of its role, daemon or spawner.
 */
@NullMarked
package dev.volary.worker;

import org.jspecify.annotations.NullMarked;
