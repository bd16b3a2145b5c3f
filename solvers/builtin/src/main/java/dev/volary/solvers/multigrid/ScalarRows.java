// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** Plain loops, which run well from the first call on: not yet optimized, a field that is read or a method that is called for each point costs. */
final class ScalarRows implements RowKernel {

    @Override
    public void relax(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        if (stencil.isotropic) {
            relaxIsotropic(stencil, u, f, begin, count, shift, omega);
        } else {
            relaxWeighted(stencil, u, f, begin, count, shift, omega);
        }
    }

    private static void relaxIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double link = stencil.left;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
            double sum = link * (u[i + front] + u[i + up] + u[i + left] + u[i + left + 1] + u[i + down] + u[i + back]);
            u[i] = keep * u[i] + scale * (sum + f[i + shift]);
        }
    }

    private static void relaxWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double atFront = stencil.front;
        double atBack = stencil.back;
        double above = stencil.up;
        double below = stencil.down;
        double before = stencil.left;
        double after = stencil.right;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
            double sum = atFront * u[i + front]
                    + above * u[i + up]
                    + before * u[i + left]
                    + after * u[i + left + 1]
                    + below * u[i + down]
                    + atBack * u[i + back];
            u[i] = keep * u[i] + scale * (sum + f[i + shift]);
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
        if (stencil.isotropic) {
            relaxProjectedIsotropic(stencil, u, f, lower, fixed, begin, count, shift, bound, omega);
        } else {
            relaxProjectedWeighted(stencil, u, f, lower, fixed, begin, count, shift, bound, omega);
        }
    }

    private static void relaxProjectedIsotropic(
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
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double link = stencil.left;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
            double sum = link * (u[i + front] + u[i + up] + u[i + left] + u[i + left + 1] + u[i + down] + u[i + back]);
            double free = keep * u[i] + scale * (sum + f[i + shift]);
            double least = lower[i + bound];
            if (!fixed[i + bound]) {
                u[i] = free < least ? least : free;
            }
        }
    }

    private static void relaxProjectedWeighted(
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
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double atFront = stencil.front;
        double atBack = stencil.back;
        double above = stencil.up;
        double below = stencil.down;
        double before = stencil.left;
        double after = stencil.right;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < begin + count; i++) {
            double sum = atFront * u[i + front]
                    + above * u[i + up]
                    + before * u[i + left]
                    + after * u[i + left + 1]
                    + below * u[i + down]
                    + atBack * u[i + back];
            double free = keep * u[i] + scale * (sum + f[i + shift]);
            double least = lower[i + bound];
            if (!fixed[i + bound]) {
                u[i] = free < least ? least : free;
            }
        }
    }

    @Override
    public void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        if (stencil.isotropic) {
            residualIsotropic(stencil, u, f, begin, count, shift, target, at);
        } else {
            residualWeighted(stencil, u, f, begin, count, shift, target, at);
        }
    }

    private static void residualIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double link = stencil.left;
        double center = stencil.diagonal;
        int to = at - begin;
        for (int i = begin; i < begin + count; i++) {
            double sum = link * (u[i + front] + u[i + up] + u[i + left] + u[i + left + 1] + u[i + down] + u[i + back]);
            target[i + to] = f[i + shift] + (sum - center * u[i]);
        }
    }

    private static void residualWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double atFront = stencil.front;
        double atBack = stencil.back;
        double above = stencil.up;
        double below = stencil.down;
        double before = stencil.left;
        double after = stencil.right;
        double center = stencil.diagonal;
        int to = at - begin;
        for (int i = begin; i < begin + count; i++) {
            double sum = atFront * u[i + front]
                    + above * u[i + up]
                    + before * u[i + left]
                    + after * u[i + left + 1]
                    + below * u[i + down]
                    + atBack * u[i + back];
            target[i + to] = f[i + shift] + (sum - center * u[i]);
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
        int firstRow = rows[0];
        int secondRow = rows[1];
        int thirdRow = rows[2];
        int fourthRow = rows[3];
        for (int x = 0; x < count; x++) {
            to[x] = first * from[firstRow + x]
                    + second * from[secondRow + x]
                    + third * from[thirdRow + x]
                    + fourth * from[fourthRow + x];
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
    public int clearActive(
            double[] u,
            double[] lower,
            boolean[] fixed,
            int begin,
            int bound,
            double[] residual,
            double[] active,
            int at,
            int count) {
        int found = 0;
        for (int x = 0; x < count; x++) {
            int i = begin + x;
            if (fixed[i + bound] || u[i] <= lower[i + bound]) {
                found |= residual[at + x] > 0 ? SOME_ACTIVE | SOME_PULLED : SOME_ACTIVE;
                active[at + x] = 1;
                residual[at + x] = 0;
            }
        }
        return found;
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
