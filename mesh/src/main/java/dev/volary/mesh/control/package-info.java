// SPDX-License-Identifier: Apache-2.0
/**
 * Sends and receives control messages: one session for each other worker, which survives broken connections, and the counts of
 * what was sent. Start at {@link dev.volary.mesh.control.ControlPlane}.
 */
@NullMarked
package dev.volary.mesh.control;

import org.jspecify.annotations.NullMarked;
