// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

/**
 * Estimates how large the terms of a row become for f = 1, which limits the residual that rounding errors leave. Solves the
 * equation on a grid of at most {@link #MOST_POINTS} points along each axis, with the coefficients of the nearest points. Sweeps
 * from zero approach the solution from below, as the matrix is an M-matrix.
 */
final class MagnitudeEstimate {
    private static final int[] MOST_POINTS = {31, 15};
    private static final int SWEEPS = 1000;

    private final ConvectionCoefficients coefficients;
    private final int axes;
    /** Points along each axis, and the line of the fine grid that each stands for. */
    private final int m;

    private final int[] line;

    MagnitudeEstimate(ConvectionCoefficients coefficients) {
        this.coefficients = coefficients;
        axes = coefficients.axes();
        int n = coefficients.n();
        m = Math.min(n, MOST_POINTS[axes - 2]);
        line = new int[m + 1];
        for (int k = 1; k <= m; k++) {
            line[k] = Math.clamp(Math.round((double) k * (n + 1) / (m + 1)), 1, n);
        }
    }

    /** The largest product of a diagonal of the fine grid and the solution there. */
    double largestTerm() {
        int planes = axes == 3 ? m : 1;
        int stride = m + 2;
        double[] u = new double[(planes + 2) * stride * stride];
        double[][] before = new double[3][u.length];
        double[][] after = new double[3][u.length];
        double[] fine = new double[u.length];
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= m; y++) {
                for (int x = 1; x <= m; x++) {
                    setRow((z * stride + y) * stride + x, new int[] {z, y, x}, before, after, fine);
                }
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sweep(u, before, after, sweep % 2 == 0);
        }
        double largest = 0;
        for (int i = 0; i < u.length; i++) {
            largest = Math.max(largest, fine[i] * u[i]);
        }
        return largest;
    }

    private void setRow(int i, int[] point, double[][] before, double[][] after, double[] fine) {
        double coarse = 1.0 / (m + 1);
        double h = coefficients.h();
        int[] at = {axes == 3 ? line[point[0]] : 1, line[point[1]], line[point[2]]};
        double here = coefficients.diffusionAt(at[0], at[1], at[2]);
        for (int direction = 3 - axes; direction < 3; direction++) {
            double velocity = coefficients.velocity(direction, at[0], at[1], at[2]);
            double lower = face(here, point, at, direction, -1);
            double upper = face(here, point, at, direction, 1);
            before[direction][i] = lower / (coarse * coarse) + Math.max(velocity, 0) / coarse;
            after[direction][i] = upper / (coarse * coarse) + Math.max(-velocity, 0) / coarse;
            fine[i] += (lower + upper) / (h * h) + Math.abs(velocity) / h;
        }
    }

    private double face(double here, int[] point, int[] at, int direction, int side) {
        int k = point[direction] + side;
        if (k < 1 || k > m) {
            return here;
        }
        int[] there = at.clone();
        there[direction] = line[k];
        return ConvectionCoefficients.harmonicMean(here, coefficients.diffusionAt(there[0], there[1], there[2]));
    }

    private void sweep(double[] u, double[][] before, double[][] after, boolean forward) {
        int stride = m + 2;
        int[] offset = {stride * stride, stride, 1};
        for (int k = 0; k < u.length; k++) {
            int i = forward ? k : u.length - 1 - k;
            double sum = 1;
            double diagonal = 0;
            for (int direction = 3 - axes; direction < 3; direction++) {
                double lower = before[direction][i];
                double upper = after[direction][i];
                if (lower > 0) {
                    sum += lower * u[i - offset[direction]] + upper * u[i + offset[direction]];
                    diagonal += lower + upper;
                }
            }
            u[i] = diagonal > 0 ? sum / diagonal : 0;
        }
    }
}
