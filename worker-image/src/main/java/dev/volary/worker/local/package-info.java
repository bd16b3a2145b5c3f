// SPDX-License-Identifier: Apache-2.0
/**
 * A worker that a parent process starts, as {@code volary run} does; the two talk over a pipe. Start at {@link
 * dev.volary.worker.local.WorkerMain}.
 */
@NullMarked
package dev.volary.worker.local;

import org.jspecify.annotations.NullMarked;
