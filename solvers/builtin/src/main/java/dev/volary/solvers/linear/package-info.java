/**
 * Sparse linear systems {@code A x = b} from Matrix Market files: block relaxation with local solves, partitioned by the
 * graph of the matrix (algorithms reference §G.4).
 */
@NullMarked
package dev.volary.solvers.linear;

import org.jspecify.annotations.NullMarked;
