/**
 * The vector that a job starts from in place of the problem's start values: {@link dev.volary.zarr.guess.InitialGuess} opens it,
 * checks it against the model and reads the values of one block. Used by commands, which check a manifest, and by workers.
 */
@NullMarked
package dev.volary.zarr.guess;

import org.jspecify.annotations.NullMarked;
