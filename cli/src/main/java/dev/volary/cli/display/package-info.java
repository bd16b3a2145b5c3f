/**
 * Shows the progress of a run on a terminal, in a pipe, or as JSON lines. A {@link dev.volary.cli.display.Display} receives a
 * {@link dev.volary.cli.display.JobView} a few times a second and a {@link dev.volary.cli.display.Summary} at the end. Knows
 * neither workers nor files.
 */
@NullMarked
package dev.volary.cli.display;

import org.jspecify.annotations.NullMarked;
