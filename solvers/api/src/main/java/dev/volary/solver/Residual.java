// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The residual of a recorded vector on one block, or on all.
 *
 * @param norm {@code ‖r‖}, in the norm of {@code kind}. The maximum is order independent, so bitwise reproducible
 * @param sumOfSquares {@code Σ r_i²}
 * @param roundoff a rigorous bound of the rounding error in {@code norm}, zero if unknown
 * @param kind the norm, the same for all blocks of a problem: {@link Model#residualNorm()}
 */
public record Residual(double norm, double sumOfSquares, double roundoff, ResidualNorm kind) {

    /** The residual of an empty set of rows, in every norm. */
    public static final Residual ZERO = new Residual(0, 0, 0);

    /** A residual in the maximum norm. */
    public Residual(double norm, double sumOfSquares, double roundoff) {
        this(norm, sumOfSquares, roundoff, ResidualNorm.MAXIMUM);
    }

    /**
     * γ(m) = m·u/(1 − m·u), the relative error of m roundings, u the unit roundoff of double precision (N. J. Higham, 2002; as used in
     * docs/explanation/certification.md, "rounding bound").
     */
    public static double gamma(int operations) {
        double mu = operations * 0x1p-53;
        return mu / (1 - mu);
    }

    /** Combines the residuals of two disjoint sets of rows. NaN in either stays NaN. */
    public Residual combine(Residual other) {
        double squares = sumOfSquares + other.sumOfSquares;
        if (kind == ResidualNorm.SUM || other.kind == ResidualNorm.SUM) {
            return new Residual(norm + other.norm, squares, roundoff + other.roundoff, ResidualNorm.SUM);
        }
        return new Residual(Math.max(norm, other.norm), squares, Math.max(roundoff, other.roundoff));
    }

    /** Upper bound of the norm of the true residual. */
    public double bound() {
        return norm + roundoff;
    }
}
