// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * Residual of a recorded vector on some blocks, as the protocols combine it.
 *
 * @param maxNorm {@code max |r_i|}
 * @param sumOfSquares {@code Σ r_i²}, combined in the order of block ids
 * @param roundoff bound of the rounding error in {@code maxNorm}
 */
public record PartialResidual(double maxNorm, double sumOfSquares, double roundoff) {

    /** Of no rows. */
    public static final PartialResidual ZERO = new PartialResidual(0, 0, 0);

    /** Of both sets of rows; NaN in either stays NaN. */
    public PartialResidual combine(PartialResidual next) {
        return new PartialResidual(
                Math.max(maxNorm, next.maxNorm), sumOfSquares + next.sumOfSquares, Math.max(roundoff, next.roundoff));
    }

    /** Upper bound of the true maximum norm. */
    public double bound() {
        return maxNorm + roundoff;
    }
}
