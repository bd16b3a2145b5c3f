// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.StalledIterationException;
import java.util.Locale;

/** Notices that complete rounds no longer reduce their step, on a level that rounding errors do not explain, or that rounds diverge. */
final class StallWatch {
    /** Three bases of iterates. */
    static final int MOST_ROUNDS = 3 * IterateBasis.MOST;

    /** In these a converged job would have been certified, also after its leader was lost. */
    static final int MOST_EXACT_ROUNDS = 20_000;

    private static final double GAIN = 0.5;
    /** Of the largest step; below it the iteration has done what it can. */
    private static final double NOISE = 1e-9;

    /** Of a residual over that of the first round; lost blocks make far smaller steps. */
    private static final double GROWTH = 1e20;

    private static final String REMEDY =
            "use a larger overlap, more vectors or fewer blocks; if the matrix is singular, remove"
                    + " what its equations leave open";

    private final String method;
    private double firstResidual;
    private double reference = Double.POSITIVE_INFINITY;
    private double largest;
    private int rounds;

    /**
     * @param method with its parameters, for the message
     */
    StallWatch(String method) {
        this.method = method;
    }

    /**
     * A complete round is done.
     *
     * @param norm of its step
     * @throws StalledIterationException if {@link #MOST_ROUNDS} rounds have not halved it
     */
    void step(double norm) {
        largest = Math.max(largest, norm);
        rounds++;
        if (norm <= GAIN * reference) {
            reference = norm;
            rounds = 0;
        }
        if (rounds >= MOST_EXACT_ROUNDS) {
            throw new StalledIterationException(
                    String.format(
                            Locale.ROOT,
                            "%d rounds of %s have left the correction at %.1e of the largest: rounding errors prevent a"
                                    + " smaller residual",
                            MOST_EXACT_ROUNDS,
                            method,
                            norm / largest),
                    "raise spec.convergence.tolerance above the certified residual that was reached");
        }
        if (rounds >= MOST_ROUNDS && norm > NOISE * largest) {
            throw new StalledIterationException(
                    MOST_ROUNDS + " rounds of " + method + " have not halved their correction", REMEDY);
        }
    }

    /**
     * A round begins, complete or not.
     *
     * @param residual before it
     * @throws StalledIterationException if it is beyond every hope
     */
    void residual(double residual) {
        if (firstResidual == 0) {
            firstResidual = residual;
        }
        if (residual > GROWTH * firstResidual) {
            throw new StalledIterationException(
                    "rounds of " + method + " diverge, from a residual of " + firstResidual + " to " + residual,
                    REMEDY);
        }
    }
}
