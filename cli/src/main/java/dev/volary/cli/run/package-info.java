/**
 * {@code volary run}: {@link dev.volary.cli.run.RunCommand} reads the options, {@code LocalRun} starts the job in
 * {@link dev.volary.cli.local}, collects its events in {@code RunProgress}, shows them and writes the output folder.
 */
@NullMarked
package dev.volary.cli.run;

import org.jspecify.annotations.NullMarked;
