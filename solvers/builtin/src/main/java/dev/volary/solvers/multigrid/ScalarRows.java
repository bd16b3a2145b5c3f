// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** Plain loops, which run well from the first call on. */
final class ScalarRows implements RowKernel {

    @Override
    public void relax(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
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
            int count,
            int shift,
            int bound,
            double omega) {
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
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
    public void means(double[] from, int begin, double[] to, int at, int count) {
        for (int x = 0; x < count; x++) {
            to[at + x] = 0.5 * (from[begin + x] + from[begin + x + 1]);
        }
    }

    @Override
    public void addMeans(double[] from, int begin, double[] to, int at, int count) {
        for (int x = 0; x < count; x++) {
            to[at + x] += 0.5 * (from[begin + x] + from[begin + x + 1]);
        }
    }

    @Override
    public void restrict(double[] from, int odd, int even, double[] to, int count) {
        for (int x = 0; x < count; x++) {
            to[x] = 0.25 * (from[odd + x] + from[odd + x + 1]) + 0.5 * from[even + x];
        }
    }

    @Override
    public void combine(
            double firstWeight, double secondWeight, double[] from, int first, int second, double[] to, int count) {
        for (int x = 0; x < count; x++) {
            to[x] = firstWeight * from[first + x] + secondWeight * from[second + x];
        }
    }

    @Override
    public void combine(double[] weights, double[] from, int[] rows, double[] to, int count) {
        double first = weights[0];
        double second = weights[1];
        double third = weights[2];
        double fourth = weights[3];
        for (int x = 0; x < count; x++) {
            to[x] = first * from[rows[0] + x]
                    + second * from[rows[1] + x]
                    + third * from[rows[2] + x]
                    + fourth * from[rows[3] + x];
        }
    }

    @Override
    public void addAbove(
            double[] increments,
            int from,
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            int count) {
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            double least = lower[i + bound];
            if (!(fixed[i + bound] || u[i] <= least)) {
                double sum = u[i] + increments[from + x];
                u[i] = sum < least ? least : sum;
            }
        }
    }

    @Override
    public void clearActive(
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            double[] residual,
            double[] active,
            int at,
            int count) {
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            boolean isActive = fixed[i + bound] || u[i] <= lower[i + bound];
            active[at + x] = isActive ? 1 : 0;
            residual[at + x] = isActive ? 0 : residual[at + x];
        }
    }

    /** As in {@link VectorRows#largest}, sizes are compared by their bits. */
    @Override
    public double largest(double[] values, int first, int last, double before) {
        long largest = Double.doubleToRawLongBits(before);
        for (int x = first; x <= last; x++) {
            largest = Math.max(largest, Double.doubleToRawLongBits(Math.abs(values[x])));
        }
        return Double.longBitsToDouble(largest);
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
        long largest = Double.doubleToRawLongBits(before);
        for (int x = first; x <= last; x++) {
            double contact = diagonal * (u[begin + x] - lower[begin + bound + x]);
            double opposite = -residual[x];
            double natural = contact < opposite ? contact : opposite;
            largest = Math.max(largest, Double.doubleToRawLongBits(Math.abs(natural)));
        }
        return Double.longBitsToDouble(largest);
    }
}
