// SPDX-License-Identifier: Apache-2.0
/**
 * A simulated job while it runs: its workers, network, backup stores and volumes. Start at {@link
 * dev.volary.simulator.job.SimulationState}.
 *
 * <p>Fault injection and the checks of the invariants are here too, since workers report to them directly and they read the state
 * of the workers. {@link dev.volary.simulator.job.FaultInjector} passes reports to the families of faults ({@code …Faults}),
 * {@link dev.volary.simulator.job.InvariantChecker} to the checkers of groups of invariants ({@code …Checker}).
 */
@NullMarked
package dev.volary.simulator.job;

import org.jspecify.annotations.NullMarked;
