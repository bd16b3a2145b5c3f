// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, for levels and JVMs where {@link dev.volary.solvers.kernel.KernelChoice#vectorsPay} says so. No method of this class
 * takes or returns a vector, for the reason that {@link dev.volary.solvers.kernel.VectorKernel} gives.
 */
final class VectorRows implements RowKernel {
    /** At most 32 bytes, as in {@link dev.volary.solvers.kernel.VectorKernel}: rows begin anywhere. */
    private static final VectorSpecies<Double> SPECIES =
            DoubleVector.SPECIES_PREFERRED.length() > DoubleVector.SPECIES_256.length()
                    ? DoubleVector.SPECIES_256
                    : DoubleVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    private static final VectorSpecies<Long> BITS = VectorSpecies.of(long.class, SPECIES.vectorShape());

    /** For what remains of a row. */
    private final ScalarRows rest = new ScalarRows();
    /** Instead of {@code reduceLanes}, which for the maximum of long values is slow and allocates on processors without AVX-512. */
    private final long[] lanes = new long[LANES];

    /** The last vector may reach beyond the row; what it overwrites there is put back. */
    @Override
    public void relax(RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double omega) {
        int end = begin + count;
        DoubleVector after = DoubleVector.fromArray(SPECIES, u, end);
        if (stencil.isotropic) {
            relaxIsotropic(stencil, u, f, begin, end, shift, omega);
        } else {
            relaxWeighted(stencil, u, f, begin, end, shift, omega);
        }
        after.intoArray(u, end);
    }

    private static void relaxIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int end, int shift, double omega) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < end; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back))
                    .mul(stencil.left);
            DoubleVector.fromArray(SPECIES, u, i)
                    .mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale))
                    .intoArray(u, i);
        }
    }

    private static void relaxWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int end, int shift, double omega) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < end; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up).mul(stencil.up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left).mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back).mul(stencil.back));
            DoubleVector.fromArray(SPECIES, u, i)
                    .mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale))
                    .intoArray(u, i);
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
        int end = begin + count;
        DoubleVector after = DoubleVector.fromArray(SPECIES, u, end);
        if (stencil.isotropic) {
            relaxProjectedIsotropic(stencil, u, f, lower, fixed, begin, end, shift, bound, omega);
        } else {
            relaxProjectedWeighted(stencil, u, f, lower, fixed, begin, end, shift, bound, omega);
        }
        after.intoArray(u, end);
    }

    private static void relaxProjectedIsotropic(
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
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < end; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back))
                    .mul(stencil.left);
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector free = here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale));
            free.blend(least, free.compare(VectorOperators.LT, least))
                    .blend(here, VectorMask.fromArray(SPECIES, fixed, i + bound))
                    .intoArray(u, i);
        }
    }

    private static void relaxProjectedWeighted(
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
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        for (int i = begin; i < end; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up).mul(stencil.up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left).mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back).mul(stencil.back));
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector free = here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale));
            free.blend(least, free.compare(VectorOperators.LT, least))
                    .blend(here, VectorMask.fromArray(SPECIES, fixed, i + bound))
                    .intoArray(u, i);
        }
    }

    @Override
    public void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, target, at + count);
        if (stencil.isotropic) {
            residualIsotropic(stencil, u, f, begin, count, shift, target, at);
        } else {
            residualWeighted(stencil, u, f, begin, count, shift, target, at);
        }
        after.intoArray(target, at + count);
    }

    private static void residualIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double center = stencil.diagonal;
        for (int x = 0; x < count; x += LANES) {
            int i = begin + x;
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back))
                    .mul(stencil.left);
            DoubleVector.fromArray(SPECIES, f, i + shift)
                    .add(sum.sub(DoubleVector.fromArray(SPECIES, u, i).mul(center)))
                    .intoArray(target, at + x);
        }
    }

    private static void residualWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int front = stencil.toFront;
        int back = stencil.toBack;
        int up = stencil.toUp;
        int down = stencil.toDown;
        int left = stencil.toLeft;
        double center = stencil.diagonal;
        for (int x = 0; x < count; x += LANES) {
            int i = begin + x;
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i + front)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i + up).mul(stencil.up))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left).mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + left + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + down).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + back).mul(stencil.back));
            DoubleVector.fromArray(SPECIES, f, i + shift)
                    .add(sum.sub(DoubleVector.fromArray(SPECIES, u, i).mul(center)))
                    .intoArray(target, at + x);
        }
    }

    @Override
    public void add(double weight, double[] from, int begin, double[] to, int at, int count) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, at + count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector.fromArray(SPECIES, to, at + x)
                    .add(DoubleVector.fromArray(SPECIES, from, begin + x).mul(weight))
                    .intoArray(to, at + x);
        }
        after.intoArray(to, at + count);
    }

    @Override
    public void means(double[] from, int begin, double[] to, int at, int count) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, at + count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector.fromArray(SPECIES, from, begin + x)
                    .add(DoubleVector.fromArray(SPECIES, from, begin + x + 1))
                    .mul(0.5)
                    .intoArray(to, at + x);
        }
        after.intoArray(to, at + count);
    }

    @Override
    public void addMeans(double[] from, int begin, double[] to, int at, int count) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, at + count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector mean = DoubleVector.fromArray(SPECIES, from, begin + x)
                    .add(DoubleVector.fromArray(SPECIES, from, begin + x + 1))
                    .mul(0.5);
            DoubleVector.fromArray(SPECIES, to, at + x).add(mean).intoArray(to, at + x);
        }
        after.intoArray(to, at + count);
    }

    @Override
    public void restrict(double[] from, int odd, int even, double[] to, int count) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector.fromArray(SPECIES, from, odd + x)
                    .add(DoubleVector.fromArray(SPECIES, from, odd + x + 1))
                    .mul(0.25)
                    .add(DoubleVector.fromArray(SPECIES, from, even + x).mul(0.5))
                    .intoArray(to, x);
        }
        after.intoArray(to, count);
    }

    @Override
    public void combine(
            double firstWeight, double secondWeight, double[] from, int first, int second, double[] to, int count) {
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector.fromArray(SPECIES, from, first + x)
                    .mul(firstWeight)
                    .add(DoubleVector.fromArray(SPECIES, from, second + x).mul(secondWeight))
                    .intoArray(to, x);
        }
        after.intoArray(to, count);
    }

    @Override
    public void combine(double[] weights, double[] from, int[] rows, double[] to, int count) {
        double first = weights[0];
        double second = weights[1];
        double third = weights[2];
        double fourth = weights[3];
        DoubleVector after = DoubleVector.fromArray(SPECIES, to, count);
        for (int x = 0; x < count; x += LANES) {
            DoubleVector.fromArray(SPECIES, from, rows[0] + x)
                    .mul(first)
                    .add(DoubleVector.fromArray(SPECIES, from, rows[1] + x).mul(second))
                    .add(DoubleVector.fromArray(SPECIES, from, rows[2] + x).mul(third))
                    .add(DoubleVector.fromArray(SPECIES, from, rows[3] + x).mul(fourth))
                    .intoArray(to, x);
        }
        after.intoArray(to, count);
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
        DoubleVector after = DoubleVector.fromArray(SPECIES, u, begin + count);
        for (int x = 0; x < count; x += LANES) {
            int i = begin + x;
            DoubleVector before = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector sum = before.add(DoubleVector.fromArray(SPECIES, increments, from + x));
            sum.blend(least, sum.compare(VectorOperators.LT, least))
                    .blend(
                            before,
                            before.compare(VectorOperators.LE, least)
                                    .or(VectorMask.fromArray(SPECIES, fixed, i + bound)))
                    .intoArray(u, i);
        }
        after.intoArray(u, begin + count);
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
        DoubleVector zero = DoubleVector.zero(SPECIES);
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int found = 0;
        int x = 0;
        for (int last = count - LANES; x <= last; x += LANES) {
            int i = begin + x;
            VectorMask<Double> isActive = DoubleVector.fromArray(SPECIES, u, i)
                    .compare(VectorOperators.LE, DoubleVector.fromArray(SPECIES, lower, i + bound))
                    .or(VectorMask.fromArray(SPECIES, fixed, i + bound));
            if (isActive.anyTrue()) {
                DoubleVector here = DoubleVector.fromArray(SPECIES, residual, at + x);
                found |= here.compare(VectorOperators.GT, zero).and(isActive).anyTrue()
                        ? SOME_ACTIVE | SOME_PULLED
                        : SOME_ACTIVE;
                zero.blend(one, isActive).intoArray(active, at + x);
                here.blend(zero, isActive).intoArray(residual, at + x);
            }
        }
        return found | rest.clearActive(u, lower, fixed, begin + x, bound, residual, active, at + x, count - x);
    }

    /** Bits of sizes are ordered as they are, NaN above all: one instruction, where the maximum of two doubles takes many. */
    @Override
    public double largest(double[] values, int first, int last, double before) {
        LongVector largest = LongVector.broadcast(BITS, Double.doubleToRawLongBits(before));
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            largest =
                    largest.max(DoubleVector.fromArray(SPECIES, values, x).abs().reinterpretAsLongs());
        }
        largest.intoArray(lanes, 0);
        return rest.largest(values, x, last, largestLane());
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
        LongVector largest = LongVector.broadcast(BITS, Double.doubleToRawLongBits(before));
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            DoubleVector contact = DoubleVector.fromArray(SPECIES, u, begin + x)
                    .sub(DoubleVector.fromArray(SPECIES, lower, begin + bound + x))
                    .mul(diagonal);
            DoubleVector opposite = DoubleVector.fromArray(SPECIES, residual, x).neg();
            largest = largest.max(opposite.blend(contact, contact.compare(VectorOperators.LT, opposite))
                    .abs()
                    .reinterpretAsLongs());
        }
        largest.intoArray(lanes, 0);
        return rest.largestNatural(residual, diagonal, u, lower, begin, bound, x, last, largestLane());
    }

    private double largestLane() {
        long largest = lanes[0];
        for (int k = 1; k < LANES; k++) {
            largest = Math.max(largest, lanes[k]);
        }
        return Double.longBitsToDouble(largest);
    }
}
