package dev.volary.protocol;

/**
 * Residual of a recorded vector on some blocks, as the protocols combine it.
 *
 * @param maxNorm {@code max |r_i|}
 * @param sumOfSquares {@code Σ r_i²}, combined in the order of block ids
 * @param roundoff bound of the rounding error in {@code maxNorm}
 */
public record PartResidual(double maxNorm, double sumOfSquares, double roundoff) {

    /** Of no rows. */
    public static final PartResidual ZERO = new PartResidual(0, 0, 0);

    /** Of both sets of rows; NaN in either stays NaN. */
    public PartResidual combine(PartResidual next) {
        return new PartResidual(
                Math.max(maxNorm, next.maxNorm), sumOfSquares + next.sumOfSquares, Math.max(roundoff, next.roundoff));
    }

    /** Upper bound of the true maximum norm. */
    public double bound() {
        return maxNorm + roundoff;
    }
}
