/**
 * Sparse matrices and their files. {@link dev.volary.solvers.linear.matrix.MatrixMarketReader} reads a
 * {@link dev.volary.solvers.linear.matrix.SparseMatrix}; {@link dev.volary.solvers.linear.matrix.NumberScanner} reads any text of
 * numbers and names the line of each error.
 */
@NullMarked
package dev.volary.solvers.linear.matrix;

import org.jspecify.annotations.NullMarked;
