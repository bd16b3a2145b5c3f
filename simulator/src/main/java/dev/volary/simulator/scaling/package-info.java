// SPDX-License-Identifier: Apache-2.0
/**
 * Measures how the control messages of a job grow with its size: the machines of all workers run in virtual time, without any
 * numerical work. Start at {@link dev.volary.simulator.scaling.ScalingBenchmark}.
 */
@NullMarked
package dev.volary.simulator.scaling;

import org.jspecify.annotations.NullMarked;
