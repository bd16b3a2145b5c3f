// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the protocols and real solver blocks in virtual time: seeded, repeatable, under delay, loss, duplication and
 * reordering. Every run is checked against the same invariants, whatever the scenario. Start at {@link
 * dev.volary.simulator.Simulation}; {@link dev.volary.simulator.SimulatedJob} is the entry point of {@code volary simulate}.
 */
@NullMarked
package dev.volary.simulator;

import org.jspecify.annotations.NullMarked;
