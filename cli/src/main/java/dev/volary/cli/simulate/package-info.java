/**
 * {@code volary simulate}: runs a job in virtual time, with any number of workers and failures. The only package of the command
 * line that may use the simulator. {@link dev.volary.cli.simulate.SimulateCommand} reads the options, {@code SimulationPlan}
 * turns a validated job into a {@code SimulatedJob}.
 */
@NullMarked
package dev.volary.cli.simulate;

import org.jspecify.annotations.NullMarked;
