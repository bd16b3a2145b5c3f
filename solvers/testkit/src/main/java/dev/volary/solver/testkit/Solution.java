// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Residual;

/**
 * What {@link InProcessSolver#solve} arrived at.
 *
 * @param vector the whole vector, in global index order
 * @param residual its residual
 * @param iterations of each block
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier; solutions are never compared
public record Solution(double[] vector, Residual residual, int iterations) {}
