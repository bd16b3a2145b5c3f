// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/**
 * Loops over points that need no vectors by hand. They are apart from what goes from row to row, so that the compiler compiles each of
 * them once: dist/compiler-directives.json keeps them, and the {@link RowKernel}s, from being inlined there.
 */
final class RowLoops {
    private RowLoops() {}

    /** Puts two halves of a row together: {@code to[at + 2k] = from[first + k]}, {@code to[at + 2k + 1] = from[second + k]}. */
    static void merge(double[] from, int first, int second, double[] to, int at, int count) {
        int pairs = count >> 1;
        for (int k = 0; k < pairs; k++) {
            to[at + 2 * k] = from[first + k];
            to[at + 2 * k + 1] = from[second + k];
        }
        if ((count & 1) == 1) {
            to[at + count - 1] = from[first + pairs];
        }
    }

    /** The reverse of {@link #merge}. */
    static void split(double[] from, int at, double[] to, int first, int second, int count) {
        int pairs = count >> 1;
        for (int k = 0; k < pairs; k++) {
            to[first + k] = from[at + 2 * k];
            to[second + k] = from[at + 2 * k + 1];
        }
        if ((count & 1) == 1) {
            to[first + pairs] = from[at + count - 1];
        }
    }

    /** As {@link #split}, but adds {@code weight} times the values. */
    static void addSplit(double weight, double[] from, int at, double[] to, int first, int second, int count) {
        int pairs = count >> 1;
        for (int k = 0; k < pairs; k++) {
            to[first + k] += weight * from[at + 2 * k];
            to[second + k] += weight * from[at + 2 * k + 1];
        }
        if ((count & 1) == 1) {
            to[first + pairs] += weight * from[at + count - 1];
        }
    }

    /** Subtracts {@code fine[from + x]} from the halves of a row, which {@code correction[at + x]} has in order. */
    static void takeCorrection(
            double[] values, int first, int second, double[] fine, int from, double[] correction, int at, int count) {
        int pairs = count >> 1;
        for (int k = 0; k < pairs; k++) {
            correction[at + 2 * k] = values[first + k] - fine[from + 2 * k];
            correction[at + 2 * k + 1] = values[second + k] - fine[from + 2 * k + 1];
        }
        if ((count & 1) == 1) {
            correction[at + count - 1] = values[first + pairs] - fine[from + count - 1];
        }
    }

    /** Weights 1, 2, 1 of the points that interpolate from each coarse point. */
    static void weigh(double[] active, int odd, int even, double[] line, int count) {
        for (int k = 0; k < count; k++) {
            line[k] = active[odd + k] + 2 * active[even + k] + active[odd + k + 1];
        }
    }

    /** {@code u[begin + x] = max(u[begin + x], lower[begin + bound + x])}. */
    static void lift(double[] u, double[] lower, int begin, int bound, int count) {
        for (int i = begin; i < begin + count; i++) {
            u[i] = Math.max(u[i], lower[i + bound]);
        }
    }

    /** Whether every other weight, {@code weights[from + 2k]}, is at least {@code least}. */
    static void compare(double[] weights, int from, double least, boolean[] target, int at, int count) {
        for (int k = 0; k < count; k++) {
            target[at + k] = weights[from + 2 * k] >= least;
        }
    }

    /** Sets every other value to zero: {@code values[at + 2k]} where {@code fixed[begin + k]} holds. */
    static void clearFixed(double[] values, int at, boolean[] fixed, int begin, int count) {
        for (int k = 0; k < count; k++) {
            if (fixed[begin + k]) {
                values[at + 2 * k] = 0;
            }
        }
    }

    /** Writes 1 for the fixed points of half a row and 0 for the others, into every other element from {@code at} on. */
    static void copyFixedOut(boolean[] fixed, int begin, double[] target, int at, int count) {
        for (int k = 0; k < count; k++) {
            target[at + 2 * k] = fixed[begin + k] ? 1 : 0;
        }
    }

    /** The reverse of {@link #copyFixedOut}; sets fixed points to the values that begin at {@code valuesAt}. */
    static void copyFixedIn(
            double[] source, int fixedAt, int valuesAt, boolean[] fixed, double[] u, int begin, int count) {
        for (int k = 0; k < count; k++) {
            fixed[begin + k] = source[fixedAt + 2 * k] > 0;
            if (fixed[begin + k]) {
                u[begin + k] = source[valuesAt + 2 * k];
            }
        }
    }
}
