// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

/**
 * What a worker has sent to all others over its control connections, acknowledgements and repetitions included.
 *
 * @param messages in all
 * @param failureDetection of these, messages of the failure detection
 */
public record ControlTelemetry(long messages, long failureDetection) {}
