// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * Residual of a recorded vector on some blocks, as the protocols combine it.
 *
 * @param norm {@code max |r_i|}, or {@code Σ |r_i|} if it is additive; combined in the order of block ids
 * @param sumOfSquares {@code Σ r_i²}, combined in the order of block ids
 * @param roundoff bound of the rounding error in {@code norm}
 * @param additive whether the norms of disjoint sets of rows add up; else the largest counts
 */
public record PartialResidual(double norm, double sumOfSquares, double roundoff, boolean additive) {

    /** Of no rows, in every norm. */
    public static final PartialResidual ZERO = new PartialResidual(0, 0, 0);

    /** In the maximum norm. */
    public PartialResidual(double norm, double sumOfSquares, double roundoff) {
        this(norm, sumOfSquares, roundoff, false);
    }

    /** Of both sets of rows; NaN in either stays NaN. */
    public PartialResidual combine(PartialResidual next) {
        double squares = sumOfSquares + next.sumOfSquares;
        if (additive || next.additive) {
            return new PartialResidual(norm + next.norm, squares, roundoff + next.roundoff, true);
        }
        return new PartialResidual(Math.max(norm, next.norm), squares, Math.max(roundoff, next.roundoff));
    }

    /** Upper bound of the norm of the true residual. */
    public double bound() {
        return norm + roundoff;
    }
}
