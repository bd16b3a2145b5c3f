// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.util.Map;

/**
 * Progress of a job in time steps.
 *
 * @param committed number of committed time steps
 * @param of number of all time steps; 0 for a problem without time steps
 */
public record StepProgress(int committed, int of) {

    /** Progress of a problem without time steps. */
    public static final StepProgress NONE = new StepProgress(0, 0);

    /** Whether the problem has time steps. */
    public boolean hasTimeSteps() {
        return of > 0;
    }

    /** The current time step, for people: {@code step 3 of 10}. */
    public String open() {
        return "step " + Math.min(committed + 1, of) + " of " + of;
    }

    /** The JSON object for programs; empty for a problem without time steps. */
    Map<String, Integer> json() {
        return hasTimeSteps() ? Map.of("committed", committed, "of", of) : Map.of();
    }
}
