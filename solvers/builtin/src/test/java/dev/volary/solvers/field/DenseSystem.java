// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.field;

import java.util.Arrays;

/**
 * Assembles {@code −∇·(ε∇u) + v·∇u} on n points along each axis of the unit square or cube as a dense matrix, on its own, and
 * solves it by elimination with pivoting. What the problems on grids are compared with.
 */
public final class DenseSystem {
    private DenseSystem() {}

    /** The matrix for a diffusion at each point and a velocity, one component after the other, the slowest axis first. */
    public static double[][] matrix(int axes, int n, double[] diffusion, double[] velocity) {
        int size = (int) Math.pow(n, axes);
        double h = 1.0 / (n + 1);
        double[][] matrix = new double[size][size];
        for (int i = 0; i < size; i++) {
            int stride = size;
            for (int axis = 0; axis < axes; axis++) {
                stride /= n;
                int at = i / stride % n;
                double v = velocity[axis * size + i];
                for (int side = -1; side <= 1; side += 2) {
                    int next = at + side;
                    boolean inside = next >= 0 && next < n;
                    double there = inside ? diffusion[i + side * stride] : diffusion[i];
                    double face = 2 / (1 / diffusion[i] + 1 / there);
                    double upwind = v * side < 0 ? Math.abs(v) / h : 0;
                    double coefficient = face / h / h + upwind;
                    matrix[i][i] += coefficient;
                    if (inside) {
                        matrix[i][i + side * stride] -= coefficient;
                    }
                }
            }
        }
        return matrix;
    }

    /** The solution for a right-hand side. */
    public static double[] solve(int axes, int n, double[] diffusion, double[] velocity, double[] f) {
        return solve(matrix(axes, n, diffusion, velocity), f);
    }

    private static double[] solve(double[][] a, double[] f) {
        int size = f.length;
        double[] b = f.clone();
        for (int k = 0; k < size; k++) {
            int pivot = k;
            for (int i = k + 1; i < size; i++) {
                pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
            }
            swap(a, b, k, pivot);
            for (int i = k + 1; i < size; i++) {
                double factor = a[i][k] / a[k][k];
                if (factor != 0) {
                    for (int j = k; j < size; j++) {
                        a[i][j] -= factor * a[k][j];
                    }
                    b[i] -= factor * b[k];
                }
            }
        }
        double[] x = new double[size];
        for (int i = size - 1; i >= 0; i--) {
            double sum = b[i];
            for (int j = i + 1; j < size; j++) {
                sum -= a[i][j] * x[j];
            }
            x[i] = sum / a[i][i];
        }
        return x;
    }

    private static void swap(double[][] a, double[] b, int i, int k) {
        double[] row = a[i];
        a[i] = a[k];
        a[k] = row;
        double value = b[i];
        b[i] = b[k];
        b[k] = value;
    }

    /** ρ(|T|) of point Jacobi, by 5000 steps of the power method. */
    public static double jacobiRate(double[][] a) {
        double[] x = new double[a.length];
        Arrays.fill(x, 1);
        double rate = 0;
        for (int step = 0; step < 5000; step++) {
            double[] y = new double[x.length];
            for (int i = 0; i < y.length; i++) {
                for (int j = 0; j < y.length; j++) {
                    y[i] += i == j ? 0 : Math.abs(a[i][j]) * x[j] / a[i][i];
                }
                // Without the shift a bipartite matrix makes the iterates alternate.
                y[i] += x[i];
            }
            double largest = Arrays.stream(y).max().orElseThrow();
            for (int i = 0; i < y.length; i++) {
                x[i] = y[i] / largest;
            }
            rate = largest - 1;
        }
        return rate;
    }
}
