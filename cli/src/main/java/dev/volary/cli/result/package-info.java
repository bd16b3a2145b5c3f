/** Reads and writes the files of a run's output folder. {@link dev.volary.cli.result.OutputFolder} lists them. */
@NullMarked
package dev.volary.cli.result;

import org.jspecify.annotations.NullMarked;
