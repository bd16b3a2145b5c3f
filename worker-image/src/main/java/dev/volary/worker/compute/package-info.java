// SPDX-License-Identifier: Apache-2.0
/**
 * Compute threads and the blocks they run. In the asynchronous scheme nothing here waits for communication. Start at {@link
 * dev.volary.worker.compute.ComputeEngine}.
 */
@NullMarked
package dev.volary.worker.compute;

import org.jspecify.annotations.NullMarked;
