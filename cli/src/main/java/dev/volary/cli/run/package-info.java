/**
 * {@code volary run}: a job on this machine. {@link dev.volary.cli.run.RunCommand} reads the options,
 * {@code LocalRun} shows and records the run, {@code LocalJob} starts the workers and serves as their arbiter and discovery.
 */
@NullMarked
package dev.volary.cli.run;

import org.jspecify.annotations.NullMarked;
