// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Locale;

/**
 * What is known about the convergence of an asynchronous iteration before it starts: bounds of ρ(|T|), the spectral radius
 * of the absolute iteration matrix, by Collatz and Wielandt (docs/explanation/asynchronous-iteration.md, "pre flight check").
 *
 * @param lower lower bound of ρ(|T|)
 * @param upper upper bound of ρ(|T|); below 1 it is a contraction factor in a weighted maximum norm
 * @param advice what to do if this is not {@link Verdict#CERTIFIED}; may be empty
 */
public record Preflight(double lower, double upper, String advice) {

    /** The upper bound of a certificate that gives no rate. */
    public static final double BELOW_ONE = Math.nextDown(1.0);

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

    /** The verdict as text, with the numbers; empty if certified. */
    public String finding() {
        String bounds = Double.isInfinite(upper)
                ? "ρ(|T|) has no known bound below 1"
                : "ρ(|T|) is "
                        + (digits(lower).equals(digits(upper))
                                ? digits(lower)
                                : "between " + digits(lower) + " and " + digits(upper));
        return switch (verdict()) {
            case CERTIFIED -> "";
            case UNDECIDED -> bounds + (Double.isInfinite(upper) ? "" : ", the bounds enclose 1");
            case REFUTED -> bounds + ", above 1: some asynchronous schedules diverge";
        };
    }

    /** What the user can do about a verdict that is not {@link Verdict#CERTIFIED}. */
    public String remedy() {
        String proposal = advice.isEmpty() ? "choose another method" : advice;
        return proposal.contains("acceptRisk")
                ? proposal
                : proposal + ", or set spec.convergence.acceptRisk: true to run it nevertheless";
    }

    private static String digits(double bound) {
        return String.format(Locale.ROOT, "%.6g", bound);
    }

    /**
     * Iterations predicted for a reduction of the error by {@code factor}; infinite if not certified, or without a rate.
     *
     * @param factor the relative tolerance, between 0 and 1
     */
    public double predictedIterations(double factor) {
        return upper < BELOW_ONE ? iterations(upper, factor) : Double.POSITIVE_INFINITY;
    }

    /**
     * Iterations that reduce the error by {@code factor}, at least one.
     *
     * @param rate factor by which each of them reduces it, between 0 and 1
     */
    public static double iterations(double rate, double factor) {
        return Math.max(1, Math.ceil(Math.log(factor) / Math.log(rate)));
    }
}
