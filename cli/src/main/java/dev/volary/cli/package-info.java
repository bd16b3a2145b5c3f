/**
 * The {@code volary} command. {@link dev.volary.cli.Volary} parses the arguments, creates the subcommand and turns failures
 * into messages and exit codes; {@code Commands} lists the subcommands.
 *
 * <p>Where to find a command: {@code run} in {@code run} and {@code local}, {@code simulate} in {@code simulate}, commands for
 * a cluster in {@code cluster}, all others in {@code command}.
 */
@NullMarked
package dev.volary.cli;

import org.jspecify.annotations.NullMarked;
