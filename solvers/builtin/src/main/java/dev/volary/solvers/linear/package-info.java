/**
 * Sparse linear systems {@code A x = b} from Matrix Market files: block relaxation with local solves, partitioned by the
 * graph of the matrix (docs/explanation/problems.md, "sparse linear systems").
 *
 * <p>Choices made here:
 *
 * <ul>
 *   <li>Matrix Market files are read by our own parser: the Java libraries that do are abandoned or LGPL, and none names the
 *       line, the fault and the remedy. An entry listed twice is refused, not summed.
 *   <li>Local factorization is EJML's sparse LU. It brings no fill-reducing order, so {@link NestedDissection} gives one,
 *       from the same bisection that makes the partition.
 *   <li>A right-hand side of zeros is refused: a tolerance relative to ‖b‖∞ would mean nothing.
 *   <li>Every worker holds the whole matrix; indices are 32-bit.
 * </ul>
 */
@NullMarked
package dev.volary.solvers.linear;

import dev.volary.solvers.linear.partition.NestedDissection;
import org.jspecify.annotations.NullMarked;
