/** Progress of a run, on a terminal, in a pipe, or as JSON lines. */
@NullMarked
package dev.volary.cli.display;

import org.jspecify.annotations.NullMarked;
