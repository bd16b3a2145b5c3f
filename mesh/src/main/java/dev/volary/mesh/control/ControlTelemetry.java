// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

/**
 * What a worker has sent to all others over its control connections, acknowledgements and repetitions included, what it has
 * refused, and its connections.
 *
 * @param messages in all
 * @param failureDetection of these, messages of the failure detection
 * @param refused messages received that the sender's role may not send
 * @param dials attempts to connect
 * @param peers workers that this one has a control link with now, connected or not
 */
public record ControlTelemetry(long messages, long failureDetection, long refused, long dials, int peers) {}
