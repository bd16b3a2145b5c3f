/** The files of a run's output folder. */
@NullMarked
package dev.volary.cli.result;

import org.jspecify.annotations.NullMarked;
