// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import java.util.Map;

/**
 * How far a job that marches in time is.
 *
 * @param committed steps whose result is decided
 * @param of all steps; 0 for a stationary problem
 */
public record StepProgress(int committed, int of) {

    /** A stationary problem's. */
    public static final StepProgress NONE = new StepProgress(0, 0);

    /** Whether there are any. */
    public boolean isMarching() {
        return of > 0;
    }

    /** The step that is being solved, for people: {@code step 3 of 10}. */
    public String open() {
        return "step " + Math.min(committed + 1, of) + " of " + of;
    }

    /** For programs; empty for a stationary problem. */
    Map<String, Integer> json() {
        return isMarching() ? Map.of("committed", committed, "of", of) : Map.of();
    }
}
