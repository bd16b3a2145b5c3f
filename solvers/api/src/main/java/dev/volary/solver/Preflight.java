package dev.volary.solver;

/**
 * What is known about the convergence of an asynchronous iteration before it starts: bounds of ρ(|T|), the spectral radius
 * of the absolute iteration matrix, by Collatz and Wielandt (algorithms reference §G.4).
 *
 * @param lower lower bound of ρ(|T|)
 * @param upper upper bound of ρ(|T|); below 1 it is a contraction factor in a weighted maximum norm
 * @param advice what to do if this is not {@link Verdict#CERTIFIED}; may be empty
 */
public record Preflight(double lower, double upper, String advice) {

    /** What the bounds say. */
    public enum Verdict {
        /** Every asynchronous schedule converges (Chazan and Miranker 1969). */
        CERTIFIED,
        /** The bounds enclose 1. */
        UNDECIDED,
        /** Some asynchronous schedule diverges. */
        REFUTED
    }

    /** What the bounds say. */
    public Verdict verdict() {
        if (upper < 1) {
            return Verdict.CERTIFIED;
        }
        return lower > 1 ? Verdict.REFUTED : Verdict.UNDECIDED;
    }

    /**
     * Iterations predicted for a reduction of the error by {@code factor}; infinite if not certified.
     *
     * @param factor the relative tolerance, between 0 and 1
     */
    public double predictedIterations(double factor) {
        return verdict() == Verdict.CERTIFIED
                ? Math.max(1, Math.ceil(Math.log(factor) / Math.log(upper)))
                : Double.POSITIVE_INFINITY;
    }
}
