// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API. Needs the module {@code jdk.incubator.vector} and the C2 compiler: interpreted or compiled by C1 every
 * vector is an object on the heap. {@link KernelChoice} decides.
 *
 * <p>No method of this class takes or returns a vector: the compiler inlines those of the Vector API wherever they are, but ours
 * only up to a size of the whole that depends on what was compiled before, and a vector that one method hands to another is an
 * object on the heap.
 */
public final class VectorKernel implements StencilKernel {
    /**
     * At most 32 bytes: rows begin anywhere, so each access of 64 bytes touches two cache lines, and of 32 bytes only every
     * other does.
     */
    private static final VectorSpecies<Double> SPECIES =
            DoubleVector.SPECIES_PREFERRED.length() > DoubleVector.SPECIES_256.length()
                    ? DoubleVector.SPECIES_256
                    : DoubleVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    /** For rows of less than a vector. */
    private static final ScalarKernel NARROW = new ScalarKernel();

    @Override
    public double jacobi5(double[] from, double[] to, SweepRegion patch, boolean measure) {
        double max = 0;
        for (int row = 0; row < patch.rows(); row++) {
            int start = patch.row(0, row);
            int end = start + patch.columns();
            average4(from, to, start, end, patch.rowStride());
            if (measure) {
                max = maxDifference(from, to, start, end, max);
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
                int end = start + patch.columns();
                average6(from, to, start, end, patch.rowStride(), patch.planeStride());
                if (measure) {
                    max = maxDifference(from, to, start, end, max);
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
        if (patch.columns() < LANES) {
            return NARROW.projected7(from, to, patch, projection, measure);
        }
        double max = 0;
        for (int plane = 0; plane < patch.planes(); plane++) {
            for (int row = 0; row < patch.rows(); row++) {
                int start = patch.row(plane, row);
                int end = start + patch.columns();
                if (projection.uniform()) {
                    projectUniform(from, to, start, end, patch.rowStride(), patch.planeStride(), projection);
                } else {
                    int shift = projection.row(patch, plane, row) - start;
                    project(from, to, start, end, patch.rowStride(), patch.planeStride(), projection, shift);
                }
                if (measure) {
                    max = maxDifference(from, to, start, end, max);
                }
            }
        }
        return max;
    }

    @Override
    public String name() {
        return "vector";
    }

    private static void average4(double[] from, double[] to, int start, int end, int stride) {
        int i = start;
        for (int last = end - LANES; i <= last; i += LANES) {
            DoubleVector.fromArray(SPECIES, from, i - stride)
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + stride))
                    .mul(0.25)
                    .intoArray(to, i);
        }
        ScalarKernel.average4(from, to, i, end, stride);
    }

    private static void implicit4(
            double[] from, double[] to, double[] old, double coupling, double inverse, int start, int end, int stride) {
        int i = start;
        for (int last = end - LANES; i <= last; i += LANES) {
            DoubleVector.fromArray(SPECIES, from, i - stride)
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + stride))
                    .mul(coupling)
                    .add(DoubleVector.fromArray(SPECIES, old, i))
                    .mul(inverse)
                    .intoArray(to, i);
        }
        ScalarKernel.implicit4(from, to, old, coupling, inverse, i, end, stride);
    }

    private static void average6(double[] from, double[] to, int start, int end, int row, int plane) {
        int i = start;
        for (int last = end - LANES; i <= last; i += LANES) {
            DoubleVector.fromArray(SPECIES, from, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, from, i - row))
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + row))
                    .add(DoubleVector.fromArray(SPECIES, from, i + plane))
                    .mul(1.0 / 6)
                    .intoArray(to, i);
        }
        ScalarKernel.average6(from, to, i, end, row, plane);
    }

    private static void poisson6(
            double[] from, double[] to, double[] source, int shift, int start, int end, int row, int plane) {
        int i = start;
        for (int last = end - LANES; i <= last; i += LANES) {
            DoubleVector.fromArray(SPECIES, from, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, from, i - row))
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + row))
                    .add(DoubleVector.fromArray(SPECIES, from, i + plane))
                    .add(DoubleVector.fromArray(SPECIES, source, i + shift))
                    .mul(1.0 / 6)
                    .intoArray(to, i);
        }
        ScalarKernel.poisson6(from, to, source, shift, i, end, row, plane);
    }

    /**
     * Compares and blends: the vector maximum takes four instructions, to order zeros and NaN. The last vector of a row overlaps
     * the one before it, since a few points one by one cost as much as the rest of a short row.
     */
    private static void project(
            double[] from, double[] to, int start, int end, int row, int plane, Projection projection, int shift) {
        double[] obstacle = projection.obstacle();
        DoubleVector keep = DoubleVector.broadcast(SPECIES, projection.keep());
        DoubleVector step = DoubleVector.broadcast(SPECIES, projection.step());
        DoubleVector source = DoubleVector.broadcast(SPECIES, projection.source());
        int last = end - LANES;
        for (int i = start; i < last; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(SPECIES, from, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, from, i - row))
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + row))
                    .add(DoubleVector.fromArray(SPECIES, from, i + plane));
            DoubleVector free = DoubleVector.fromArray(SPECIES, from, i)
                    .mul(keep)
                    .add(sum.add(source).mul(step));
            DoubleVector bound = DoubleVector.fromArray(SPECIES, obstacle, i + shift);
            free.blend(bound, free.compare(VectorOperators.LT, bound)).intoArray(to, i);
        }
        DoubleVector sum = DoubleVector.fromArray(SPECIES, from, last - plane)
                .add(DoubleVector.fromArray(SPECIES, from, last - row))
                .add(DoubleVector.fromArray(SPECIES, from, last - 1))
                .add(DoubleVector.fromArray(SPECIES, from, last + 1))
                .add(DoubleVector.fromArray(SPECIES, from, last + row))
                .add(DoubleVector.fromArray(SPECIES, from, last + plane));
        DoubleVector free = DoubleVector.fromArray(SPECIES, from, last)
                .mul(keep)
                .add(sum.add(source).mul(step));
        DoubleVector bound = DoubleVector.fromArray(SPECIES, obstacle, last + shift);
        free.blend(bound, free.compare(VectorOperators.LT, bound)).intoArray(to, last);
    }

    /** As {@link #project} with the same obstacle everywhere: a tenth faster in cache for one value less to load. */
    private static void projectUniform(
            double[] from, double[] to, int start, int end, int row, int plane, Projection projection) {
        DoubleVector keep = DoubleVector.broadcast(SPECIES, projection.keep());
        DoubleVector step = DoubleVector.broadcast(SPECIES, projection.step());
        DoubleVector source = DoubleVector.broadcast(SPECIES, projection.source());
        DoubleVector bound = DoubleVector.broadcast(SPECIES, projection.obstacle()[0]);
        int last = end - LANES;
        for (int i = start; i < last; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(SPECIES, from, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, from, i - row))
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, from, i + row))
                    .add(DoubleVector.fromArray(SPECIES, from, i + plane));
            DoubleVector free = DoubleVector.fromArray(SPECIES, from, i)
                    .mul(keep)
                    .add(sum.add(source).mul(step));
            free.blend(bound, free.compare(VectorOperators.LT, bound)).intoArray(to, i);
        }
        DoubleVector sum = DoubleVector.fromArray(SPECIES, from, last - plane)
                .add(DoubleVector.fromArray(SPECIES, from, last - row))
                .add(DoubleVector.fromArray(SPECIES, from, last - 1))
                .add(DoubleVector.fromArray(SPECIES, from, last + 1))
                .add(DoubleVector.fromArray(SPECIES, from, last + row))
                .add(DoubleVector.fromArray(SPECIES, from, last + plane));
        DoubleVector free = DoubleVector.fromArray(SPECIES, from, last)
                .mul(keep)
                .add(sum.add(source).mul(step));
        free.blend(bound, free.compare(VectorOperators.LT, bound)).intoArray(to, last);
    }

    private static double maxDifference(double[] from, double[] to, int start, int end, double max) {
        DoubleVector largest = DoubleVector.zero(SPECIES);
        int i = start;
        for (int last = end - LANES; i <= last; i += LANES) {
            largest = largest.max(DoubleVector.fromArray(SPECIES, to, i)
                    .sub(DoubleVector.fromArray(SPECIES, from, i))
                    .abs());
        }
        return ScalarKernel.maxDifference(from, to, i, end, Math.max(max, largest.reduceLanes(VectorOperators.MAX)));
    }
}
