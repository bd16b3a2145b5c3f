// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import java.util.Arrays;

/**
 * Solves linear equations A x = b by restarted GMRES (Y. Saad, M. H. Schultz, 1986) with modified Gram–Schmidt and Givens rotations. It
 * allocates nothing after its construction, and the same arguments give the same bits.
 */
final class Gmres {
    private final double[][] basis;
    private final double[][] hessenberg;
    private final double[] cosines;
    private final double[] sines;
    private final double[] projected;

    /** Computes A x. */
    @FunctionalInterface
    interface Operator {
        void apply(double[] x, double[] target);
    }

    /**
     * @param unknowns length of the vectors
     * @param restart vectors that are kept, one more than that in memory
     */
    Gmres(int unknowns, int restart) {
        basis = new double[restart + 1][unknowns];
        hessenberg = new double[restart][restart + 1];
        cosines = new double[restart];
        sines = new double[restart];
        projected = new double[restart + 1];
    }

    /**
     * Reduces the Euclidean norm of the residual by {@code factor}, starting from zero, or as far as {@code cycles} allow. Leaves x at
     * zero if a value of b is not finite.
     *
     * @param b right-hand side
     * @param x the solution
     * @param cycles how often the basis may be filled
     */
    void solve(Operator a, double[] b, double[] x, double factor, int cycles) {
        Arrays.fill(x, 0);
        System.arraycopy(b, 0, basis[0], 0, b.length);
        double norm = norm(b);
        double target = factor * norm;
        for (int cycle = 1; norm > target; cycle++) {
            boolean reached = cycle(a, x, norm, target);
            if (reached || cycle == cycles) {
                return;
            }
            a.apply(x, basis[0]);
            for (int i = 0; i < b.length; i++) {
                basis[0][i] = b[i] - basis[0][i];
            }
            norm = norm(basis[0]);
        }
    }

    /** Fills the basis, the first of which is a residual with the given norm, and adds the best combination of it to x. */
    private boolean cycle(Operator a, double[] x, double norm, double target) {
        scale(basis[0], 1 / norm);
        projected[0] = norm;
        int count = 0;
        while (count < cosines.length && Math.abs(projected[count]) > target) {
            double[] next = basis[count + 1];
            a.apply(basis[count], next);
            orthogonalize(next, count);
            rotate(count);
            count++;
        }
        for (int k = count - 1; k >= 0; k--) {
            double sum = projected[k];
            for (int j = k + 1; j < count; j++) {
                sum -= hessenberg[j][k] * projected[j];
            }
            projected[k] = sum / hessenberg[k][k];
            add(projected[k], basis[k], x);
        }
        return count < cosines.length || Math.abs(projected[count]) <= target;
    }

    private void orthogonalize(double[] next, int k) {
        double[] column = hessenberg[k];
        for (int i = 0; i <= k; i++) {
            column[i] = dot(basis[i], next);
            add(-column[i], basis[i], next);
        }
        column[k + 1] = norm(next);
        if (column[k + 1] > 0) {
            scale(next, 1 / column[k + 1]);
        }
    }

    /** Makes column k of the Hessenberg matrix triangular. */
    private void rotate(int k) {
        double[] column = hessenberg[k];
        for (int i = 0; i < k; i++) {
            double upper = cosines[i] * column[i] + sines[i] * column[i + 1];
            column[i + 1] = cosines[i] * column[i + 1] - sines[i] * column[i];
            column[i] = upper;
        }
        double length = Math.sqrt(column[k] * column[k] + column[k + 1] * column[k + 1]);
        cosines[k] = column[k] / length;
        sines[k] = column[k + 1] / length;
        column[k] = length;
        projected[k + 1] = -sines[k] * projected[k];
        projected[k] *= cosines[k];
    }

    private static double norm(double[] v) {
        return Math.sqrt(dot(v, v));
    }

    private static double dot(double[] v, double[] w) {
        double sum = 0;
        for (int i = 0; i < v.length; i++) {
            sum += v[i] * w[i];
        }
        return sum;
    }

    private static void add(double factor, double[] v, double[] to) {
        for (int i = 0; i < v.length; i++) {
            to[i] += factor * v[i];
        }
    }

    private static void scale(double[] v, double factor) {
        for (int i = 0; i < v.length; i++) {
            v[i] *= factor;
        }
    }
}
