// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/** sin(πx) sin(πy) on the points of a {@link UnitSquareGrid}: an eigenvector of the five-point scheme. */
final class SineMode {
    private final double[] sine;

    /**
     * @param n interior points along each edge
     */
    SineMode(int n) {
        sine = new double[n];
        for (int i = 0; i < n; i++) {
            sine[i] = Math.sin(Math.PI * (i + 1) / (n + 1));
        }
    }

    double at(int iy, int ix) {
        return sine[iy] * sine[ix];
    }
}
