// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

/**
 * One measured run of sweeps.
 *
 * @param rate million updates a second (GB/s for the triad)
 * @param sum of all values at the end, to see that two programs did the same
 * @param allocated bytes that the computing threads allocated for each sweep
 */
public record Run(double rate, double sum, double allocated) {}
