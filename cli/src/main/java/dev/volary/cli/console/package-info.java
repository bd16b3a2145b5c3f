/**
 * What all commands share for options and output: {@link dev.volary.cli.console.ExitCode} and {@link
 * dev.volary.cli.console.UsageException} for the outcome, {@link dev.volary.cli.console.Style}, {@link
 * dev.volary.cli.console.Table}, {@link dev.volary.cli.console.Units} and {@link dev.volary.cli.console.JsonText} for output.
 * Depends on no other package of the command line.
 */
@NullMarked
package dev.volary.cli.console;

import org.jspecify.annotations.NullMarked;
