// SPDX-License-Identifier: Apache-2.0
/**
 * Describes what a simulation runs: the problem, the job, the network, the timing, and the faults to inject. Start at {@link
 * dev.volary.simulator.scenario.Scenario}.
 */
@NullMarked
package dev.volary.simulator.scenario;

import org.jspecify.annotations.NullMarked;
