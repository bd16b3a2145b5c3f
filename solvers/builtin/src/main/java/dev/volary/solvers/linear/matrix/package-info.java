/**
 * Sparse matrices and their files. {@link dev.volary.solvers.linear.matrix.MatrixFile} reads a
 * {@link dev.volary.solvers.linear.matrix.SparseMatrix} from a Matrix Market file or one of SciPy; {@link dev.volary.solvers.linear.matrix.NumberScanner} reads any text of
 * numbers and names the line of each error.
 */
@NullMarked
package dev.volary.solvers.linear.matrix;

import org.jspecify.annotations.NullMarked;
