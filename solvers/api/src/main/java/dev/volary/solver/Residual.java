// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The residual of a recorded vector on one block, or on all.
 *
 * @param maxNorm {@code max |r_i|}; order independent, so bitwise reproducible
 * @param sumOfSquares {@code Σ r_i²}
 * @param roundoff a rigorous bound of the rounding error in {@code maxNorm}, zero if unknown
 */
public record Residual(double maxNorm, double sumOfSquares, double roundoff) {

    /** The residual of an empty set of rows. */
    public static final Residual ZERO = new Residual(0, 0, 0);

    /** Combines the residuals of two disjoint sets of rows. NaN in either stays NaN. */
    public Residual combine(Residual other) {
        return new Residual(
                Math.max(maxNorm, other.maxNorm),
                sumOfSquares + other.sumOfSquares,
                Math.max(roundoff, other.roundoff));
    }

    /** Upper bound of the true maximum norm. */
    public double bound() {
        return maxNorm + roundoff;
    }
}
