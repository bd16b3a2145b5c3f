/** The {@code volary} command: {@link dev.volary.cli.Volary} and its subcommands. */
@NullMarked
package dev.volary.cli;

import org.jspecify.annotations.NullMarked;
