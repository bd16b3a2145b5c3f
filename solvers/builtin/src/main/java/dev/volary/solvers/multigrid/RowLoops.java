// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * Loops over points that need no vectors by hand. They are apart from what goes from row to row, so that the compiler compiles each of
 * them once: dist/compiler-directives.json keeps them, and the {@link RowKernel}s, from being inlined there.
 */
final class RowLoops {
    private RowLoops() {}

    /** {@code coarse[to + x] = fine[from + 2x]}. */
    static void inject(double[] fine, int from, double[] coarse, int to, int count) {
        for (int x = 0; x < count; x++) {
            coarse[to + x] = fine[from + 2 * x];
        }
    }

    /** {@code correction[to + x] = values[to + x] − fine[from + 2x]}. */
    static void takeCorrection(double[] values, double[] fine, int from, double[] correction, int to, int count) {
        for (int x = 0; x < count; x++) {
            correction[to + x] = values[to + x] - fine[from + 2 * x];
        }
    }

    /** {@code to[x] = ¼ from[at + 2x − 1] + ½ from[at + 2x] + ¼ from[at + 2x + 1]}. */
    static void restrict(double[] from, int at, double[] to, int count) {
        for (int k = 0; k < count; k++) {
            int x = at + 2 * k;
            to[k] = 0.25 * (from[x - 1] + from[x + 1]) + 0.5 * from[x];
        }
    }

    /** Sets pairs of points: one to that of the line, the next to the mean of that and the following one. */
    static void spread(double[] line, int from, double[] target, int at, int pairs) {
        for (int k = 0; k < pairs; k++) {
            double here = line[from + k];
            target[at + 2 * k] = here;
            target[at + 2 * k + 1] = 0.5 * (here + line[from + k + 1]);
        }
    }

    /** Weights 1, 2, 1 of the points that interpolate from each coarse point; the first is the second fine one. */
    static void weigh(double[] active, double[] line) {
        for (int k = 0; k < line.length; k++) {
            line[k] = active[2 * k + 1] + 2 * active[2 * k + 2] + active[2 * k + 3];
        }
    }

    /** {@code u[begin + x] = max(u[begin + x], lower[begin + bound + x])}. */
    static void lift(double[] u, double[] lower, int begin, int bound, int count) {
        for (int i = begin; i < begin + count; i++) {
            u[i] = Math.max(u[i], lower[i + bound]);
        }
    }

    /** Whether each weight is at least {@code least}. */
    static void compare(double[] weights, double least, boolean[] target) {
        for (int i = 0; i < weights.length; i++) {
            target[i] = weights[i] >= least;
        }
    }

    /** Sets values to zero where {@code fixed} holds. */
    static void clearFixed(double[] values, boolean[] fixed) {
        for (int i = 0; i < fixed.length; i++) {
            if (fixed[i]) {
                values[i] = 0;
            }
        }
    }

    /** Writes 1 for the fixed points of a row and 0 for the others. */
    static void copyFixedOut(boolean[] fixed, int begin, double[] target, int at, int count) {
        for (int x = 0; x < count; x++) {
            target[at + x] = fixed[begin + x] ? 1 : 0;
        }
    }

    /** The reverse of {@link #copyFixedOut}; sets fixed points to the values that begin at {@code valuesAt}. */
    static void copyFixedIn(
            double[] source, int fixedAt, int valuesAt, boolean[] fixed, double[] u, int begin, int count) {
        for (int x = 0; x < count; x++) {
            fixed[begin + x] = source[fixedAt + x] > 0;
            if (fixed[begin + x]) {
                u[begin + x] = source[valuesAt + x];
            }
        }
    }
}
