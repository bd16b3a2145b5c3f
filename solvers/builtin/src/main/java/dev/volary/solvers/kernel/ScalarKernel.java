// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

/** Plain loops: for every JVM, for small blocks, and the reference the vectorized kernel is tested against. */
public final class ScalarKernel implements StencilKernel {

    @Override
    public double jacobi5(double[] from, double[] to, SweepRegion patch, boolean measure) {
        double max = 0;
        for (int row = 0; row < patch.rows(); row++) {
            int start = patch.row(0, row);
            average4(from, to, start, start + patch.columns(), patch.rowStride());
            if (measure) {
                max = maxDifference(from, to, start, start + patch.columns(), max);
            }
        }
        return max;
    }

    @Override
    public double implicit5(
            double[] from,
            double[] to,
            double[] old,
            double coupling,
            double inverse,
            SweepRegion patch,
            boolean measure) {
        double max = 0;
        for (int row = 0; row < patch.rows(); row++) {
            int start = patch.row(0, row);
            int end = start + patch.columns();
            implicit4(from, to, old, coupling, inverse, start, end, patch.rowStride());
            if (measure) {
                max = maxDifference(from, to, start, end, max);
            }
        }
        return max;
    }

    @Override
    public double jacobi7(double[] from, double[] to, SweepRegion patch, boolean measure) {
        double max = 0;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int start = patch.row(plane, row);
                average6(from, to, start, start + patch.columns(), patch.rowStride(), patch.planeStride());
                if (measure) {
                    max = maxDifference(from, to, start, start + patch.columns(), max);
                }
            }
        }
        return max;
    }

    @Override
    public double poisson7(
            double[] from, double[] to, double[] source, boolean uniform, SweepRegion patch, boolean measure) {
        double max = 0;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int start = patch.row(plane, row);
                int end = start + patch.columns();
                poisson6(from, to, source, uniform ? -start : 0, start, end, patch.rowStride(), patch.planeStride());
                if (measure) {
                    max = maxDifference(from, to, start, end, max);
                }
            }
        }
        return max;
    }

    @Override
    public double projected7(double[] from, double[] to, SweepRegion patch, Projection projection, boolean measure) {
        double max = 0;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int start = patch.row(plane, row);
                int end = start + patch.columns();
                int shift = projection.row(patch, plane, row) - start;
                project(from, to, start, end, patch.rowStride(), patch.planeStride(), projection, shift);
                if (measure) {
                    max = maxDifference(from, to, start, end, max);
                }
            }
        }
        return max;
    }

    @Override
    public String name() {
        return "plain";
    }

    static void average4(double[] from, double[] to, int start, int end, int stride) {
        for (int i = start; i < end; i++) {
            to[i] = 0.25 * (from[i - stride] + from[i - 1] + from[i + 1] + from[i + stride]);
        }
    }

    static void implicit4(
            double[] from, double[] to, double[] old, double coupling, double inverse, int start, int end, int stride) {
        for (int i = start; i < end; i++) {
            double sum = from[i - stride] + from[i - 1] + from[i + 1] + from[i + stride];
            to[i] = inverse * (coupling * sum + old[i]);
        }
    }

    static void average6(double[] from, double[] to, int start, int end, int row, int plane) {
        for (int i = start; i < end; i++) {
            to[i] = (1.0 / 6)
                    * (from[i - plane] + from[i - row] + from[i - 1] + from[i + 1] + from[i + row] + from[i + plane]);
        }
    }

    static void poisson6(
            double[] from, double[] to, double[] source, int shift, int start, int end, int row, int plane) {
        for (int i = start; i < end; i++) {
            double sum = from[i - plane] + from[i - row] + from[i - 1] + from[i + 1] + from[i + row] + from[i + plane];
            to[i] = (1.0 / 6) * (sum + source[i + shift]);
        }
    }

    static void project(
            double[] from, double[] to, int start, int end, int row, int plane, Projection projection, int shift) {
        double keep = projection.keep();
        double step = projection.step();
        double source = projection.source();
        double[] obstacle = projection.obstacle();
        for (int i = start; i < end; i++) {
            double sum = from[i - plane] + from[i - row] + from[i - 1] + from[i + 1] + from[i + row] + from[i + plane];
            double free = keep * from[i] + step * (sum + source);
            double bound = obstacle[i + shift];
            to[i] = free < bound ? bound : free;
        }
    }

    static double maxDifference(double[] from, double[] to, int start, int end, double max) {
        double largest = max;
        for (int i = start; i < end; i++) {
            largest = Math.max(largest, Math.abs(to[i] - from[i]));
        }
        return largest;
    }
}
