// SPDX-License-Identifier: Apache-2.0
/**
 * A simulated job while it runs: its workers, network, backup stores and volumes. Fault injection and the checks of the
 * invariants are here too, since workers report to them directly and they read the state of the workers. Start at {@link
 * dev.volary.simulator.job.SimulationState}.
 */
@NullMarked
package dev.volary.simulator.job;

import org.jspecify.annotations.NullMarked;
