// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * The bound of a job's residual, in the norm of its problem.
 *
 * @param relative bound of {@code ‖r‖ / scale}, positive
 * @param absolute the same bound for {@code ‖r‖}
 * @param scale what relative residuals are relative to, positive
 */
public record Tolerance(double relative, double absolute, double scale) {

    /**
     * A tolerance as a manifest gives it.
     *
     * @param given bound of {@code ‖r‖ / scale} if it is relative, else of {@code ‖r‖}
     */
    public static Tolerance of(double given, boolean isRelative, double scale) {
        return isRelative ? new Tolerance(given, given * scale, scale) : ofAbsolute(given, scale);
    }

    /** A tolerance of the residual itself. */
    public static Tolerance ofAbsolute(double absolute, double scale) {
        return new Tolerance(absolute / scale, absolute, scale);
    }

    /** A residual {@code ‖r‖} over the scale. */
    public double relative(double residual) {
        return residual / scale;
    }

    /** Whether a residual {@code ‖r‖} is small enough. */
    public boolean isMetBy(double residual) {
        return residual <= absolute;
    }
}
