// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.StalledIterationException;

/** Notices that complete rounds no longer reduce their step, on a level that rounding errors do not explain. */
final class StallWatch {
    /** Ten bases of iterates. */
    static final int MOST_ROUNDS = 10 * IterateBasis.MOST;

    private static final double GAIN = 0.5;
    /** Of the largest step; below it the iteration has done what it can. */
    private static final double NOISE = 1e-9;

    private final String method;
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
        if (rounds >= MOST_ROUNDS && norm > NOISE * largest) {
            throw new StalledIterationException(
                    MOST_ROUNDS + " rounds of " + method + " have not halved their correction",
                    "use a larger overlap, more vectors or fewer blocks; if the matrix is singular, remove what its"
                            + " equations leave open");
        }
    }
}
