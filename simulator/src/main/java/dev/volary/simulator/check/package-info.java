// SPDX-License-Identifier: Apache-2.0
/**
 * The results of a run: how the job ended, which invariants it violated, and what failures cost. Start at {@link
 * dev.volary.simulator.check.SimulationReport}.
 */
@NullMarked
package dev.volary.simulator.check;

import org.jspecify.annotations.NullMarked;
