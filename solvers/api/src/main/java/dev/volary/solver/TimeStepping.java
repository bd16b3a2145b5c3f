// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The time steps of a model: from its initial values u⁰ through {@code steps} steps of equal length, each of which is a
 * problem of its own whose equations read the committed values of the step before (docs/explanation/time-steps-and-rollback.md,
 * "time steps"). All blocks of such a model are {@link SteppedBlock}s.
 *
 * <p>Each step is iterated until a snapshot certifies a vector for it; {@link Model#scale} and the tolerance are the same in
 * all steps. That vector, and no later iterate, becomes uˢ on every block.
 *
 * @param steps number of steps, at least 1
 * @param stepLength of each, in seconds; positive and finite
 */
public record TimeStepping(int steps, double stepLength) {

    public TimeStepping {
        if (steps < 1 || !(stepLength > 0) || !Double.isFinite(stepLength)) {
            throw new IllegalArgumentException("steps is " + steps + ", must be at least 1; stepLength is " + stepLength
                    + ", must be positive and finite");
        }
    }

    /** The time that the result of a step belongs to, in seconds; 0 for step 0, the initial values. */
    public double time(int step) {
        return step * stepLength;
    }
}
