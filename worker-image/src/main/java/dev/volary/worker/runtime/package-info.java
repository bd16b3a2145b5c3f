// SPDX-License-Identifier: Apache-2.0
/**
 * What both roles need to run: the thread that calls the protocol machine, the events it receives, and the channel to the host
 * of the worker, a parent process or a pod. Start at {@link dev.volary.worker.runtime.MachineRunner}.
 */
@NullMarked
package dev.volary.worker.runtime;

import org.jspecify.annotations.NullMarked;
