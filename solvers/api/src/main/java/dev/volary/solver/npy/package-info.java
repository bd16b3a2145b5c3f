/**
 * Arrays in NumPy's file format, as {@code numpy.save} and {@code scipy.sparse.save_npz} write them:
 * {@link dev.volary.solver.npy.NpyReader} reads the numbers of one array as a stream, and names the array and the number of each
 * error. Source of the format: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
 */
@NullMarked
package dev.volary.solver.npy;

import org.jspecify.annotations.NullMarked;
