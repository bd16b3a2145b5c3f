// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** Plain loops, which run well from the first call on. */
final class ScalarRows implements RowKernel {

    @Override
    public void relax(RowStencil stencil, double[] u, double[] f, int begin, int end, int shift, double omega) {
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i <= end; i += 2) {
            u[i] = keep * u[i] + scale * (stencil.neighbors(u, i) + f[i + shift]);
        }
    }

    @Override
    public void relaxProjected(
            RowStencil stencil,
            double[] u,
            double[] f,
            double[] lower,
            boolean[] fixed,
            int begin,
            int end,
            int shift,
            int bound,
            double omega) {
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i <= end; i += 2) {
            double free = keep * u[i] + scale * (stencil.neighbors(u, i) + f[i + shift]);
            double above = free < lower[i + bound] ? lower[i + bound] : free;
            if (!fixed[i + bound]) {
                u[i] = above;
            }
        }
    }

    @Override
    public void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        double center = stencil.diagonal;
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            target[at + x] = f[i + shift] + (stencil.neighbors(u, i) - center * u[i]);
        }
    }

    @Override
    public void add(double weight, double[] from, int begin, double[] to, int at, int count) {
        for (int x = 0; x < count; x++) {
            to[at + x] += weight * from[begin + x];
        }
    }

    @Override
    public void combine(double[] weights, double[] from, int[] rows, double[] to, int count) {
        combine(weights, from, rows, to, 0, count);
    }

    static void combine(double[] weights, double[] from, int[] rows, double[] to, int begin, int count) {
        double first = weights[0];
        double second = weights[1];
        double third = weights[2];
        double fourth = weights[3];
        for (int x = begin; x < count; x++) {
            to[x] = first * from[rows[0] + x]
                    + second * from[rows[1] + x]
                    + third * from[rows[2] + x]
                    + fourth * from[rows[3] + x];
        }
    }

    @Override
    public void addAbove(double[] increments, double[] u, double[] lower, boolean[] fixed, int begin, int bound) {
        addAbove(increments, u, lower, fixed, begin, bound, 0);
    }

    static void addAbove(
            double[] increments, double[] u, double[] lower, boolean[] fixed, int begin, int bound, int first) {
        for (int x = first; x < increments.length; x++) {
            int i = begin + x;
            double least = lower[i + bound];
            if (!(fixed[i + bound] || u[i] <= least)) {
                double sum = u[i] + increments[x];
                u[i] = sum < least ? least : sum;
            }
        }
    }

    @Override
    public void clearActive(
            double[] u, double[] lower, boolean[] fixed, int begin, int bound, double[] residual, double[] active) {
        clearActive(u, lower, fixed, begin, bound, residual, active, 0);
    }

    static void clearActive(
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            double[] residual,
            double[] active,
            int first) {
        for (int x = first; x < residual.length; x++) {
            int i = begin + x;
            boolean isActive = fixed[i + bound] || u[i] <= lower[i + bound];
            active[x + 1] = isActive ? 1 : 0;
            residual[x] = isActive ? 0 : residual[x];
        }
    }

    @Override
    public double largest(double[] values, int first, int last, double before) {
        double largest = before;
        for (int x = first; x <= last; x++) {
            largest = Math.max(largest, Math.abs(values[x]));
        }
        return largest;
    }

    @Override
    public double largestNatural(
            double[] residual,
            double diagonal,
            double[] u,
            double[] lower,
            int begin,
            int bound,
            int first,
            int last,
            double before) {
        double largest = before;
        for (int x = first; x <= last; x++) {
            double contact = diagonal * (u[begin + x] - lower[begin + bound + x]);
            largest = Math.max(largest, Math.abs(Math.min(-residual[x], contact)));
        }
        return largest;
    }
}
