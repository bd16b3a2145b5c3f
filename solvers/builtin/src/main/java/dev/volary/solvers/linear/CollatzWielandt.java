// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import java.util.Arrays;

/**
 * Bounds of the spectral radius of a nonnegative operator T by a shifted power iteration, {@code w ← ½ (w + T w)}: for every
 * w > 0, {@code min (Tw)_i/w_i ≤ ρ(T) ≤ max (Tw)_i/w_i} (Collatz 1942, Wielandt 1950;
 * docs/explanation/asynchronous-iteration.md, "pre flight check").
 */
final class CollatzWielandt {
    private static final double AGREED = 1e-9;
    private static final double SMALLEST_WEIGHT = 1e-200;

    /** Weights below this fraction of the largest belong to unknowns that the dominant part does not depend on. */
    private static final double NEGLIGIBLE = 1e-6;

    /** A nonnegative linear operator. */
    @FunctionalInterface
    interface Operator {
        /** {@code target = T w}. */
        void apply(double[] w, double[] target);
    }

    /**
     * Bounds of ρ(T).
     *
     * @param lower at most ρ(T)
     * @param upper at least ρ(T)
     */
    record Bounds(double lower, double upper) {}

    private CollatzWielandt() {}

    /**
     * Iterates until the bounds agree, or for {@code sweeps} sweeps.
     *
     * @param w positive start; holds the last weights afterwards
     * @param roundoff relative rounding error of one element of {@code T w}; the bounds are widened by it
     */
    static Bounds of(Operator operator, double[] w, int sweeps, double roundoff) {
        double[] image = new double[w.length];
        double lower = 0;
        double upper = Double.POSITIVE_INFINITY;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            operator.apply(w, image);
            double smallest = Double.POSITIVE_INFINITY;
            double largest = 0;
            for (int i = 0; i < w.length; i++) {
                double ratio = image[i] / w[i];
                smallest = Math.min(smallest, ratio);
                largest = Math.max(largest, ratio);
            }
            if (!(largest < Double.POSITIVE_INFINITY)) {
                return new Bounds(lower, upper); // overflow: nothing more can be learnt
            }
            lower = Math.max(lower, smallest * (1 - roundoff));
            upper = Math.min(upper, largest * (1 + roundoff));
            if (upper - lower <= AGREED * upper) {
                return new Bounds(lower, upper);
            }
            relax(w, image);
        }
        return new Bounds(Math.max(lower, dominantPart(operator, w, image) * (1 - roundoff)), upper);
    }

    private static void relax(double[] w, double[] image) {
        double norm = 0;
        for (int i = 0; i < w.length; i++) {
            w[i] = 0.5 * (w[i] + image[i]);
            norm = Math.max(norm, w[i]);
        }
        for (int i = 0; i < w.length; i++) {
            w[i] = Math.max(w[i] / norm, SMALLEST_WEIGHT);
        }
    }

    /**
     * The lower bound from the largest weights alone: for w ≥ 0 it is enough that {@code T w ≥ λ w}. Needed when T is
     * reducible, for instance where rows are decoupled boundary conditions.
     */
    private static double dominantPart(Operator operator, double[] w, double[] image) {
        double[] dominant = w.clone();
        for (int i = 0; i < w.length; i++) {
            if (dominant[i] < NEGLIGIBLE) {
                dominant[i] = 0;
            }
        }
        Arrays.fill(image, 0);
        operator.apply(dominant, image);
        double smallest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < w.length; i++) {
            if (dominant[i] > 0) {
                smallest = Math.min(smallest, image[i] / dominant[i]);
            }
        }
        return Double.isFinite(smallest) ? smallest : 0;
    }
}
