// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import jdk.incubator.vector.DoubleVector;
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

    /** The points of the other color between those that are relaxed. */
    private static final VectorMask<Double> BETWEEN = VectorMask.fromLong(SPECIES, 0xAAAA_AAAA_AAAA_AAAAL);

    /** For what remains of a row. */
    private final ScalarRows rest = new ScalarRows();

    /**
     * Every vector has values of both colors, of which those in between are written as they were. The values to the left are loaded
     * before the vector that they overlap is written: a load has to wait for a write of a part of it.
     */
    @Override
    public void relax(RowStencil stencil, double[] u, double[] f, int begin, int end, int shift, double omega) {
        if (end - begin < LANES) {
            rest.relax(stencil, u, f, begin, end, shift, omega);
            return;
        }
        int last = end + 2 - LANES;
        int next = stencil.isotropic
                ? relaxIsotropic(stencil, u, f, begin, last, shift, omega)
                : relaxWeighted(stencil, u, f, begin, last, shift, omega);
        rest.relax(stencil, u, f, next, end, shift, omega);
    }

    private static int relaxIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int last, int shift, double omega) {
        int row = stencil.row;
        int plane = stencil.plane;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = DoubleVector.fromArray(SPECIES, u, i - 1);
        for (; i <= last; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector next = DoubleVector.fromArray(SPECIES, u, i + LANES - 1);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row))
                    .add(left)
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane))
                    .mul(stencil.left);
            here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale))
                    .blend(here, BETWEEN)
                    .intoArray(u, i);
            left = next;
        }
        return i;
    }

    private static int relaxWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int last, int shift, double omega) {
        int row = stencil.row;
        int plane = stencil.plane;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = DoubleVector.fromArray(SPECIES, u, i - 1);
        for (; i <= last; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector next = DoubleVector.fromArray(SPECIES, u, i + LANES - 1);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row).mul(stencil.up))
                    .add(left.mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane).mul(stencil.back));
            here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale))
                    .blend(here, BETWEEN)
                    .intoArray(u, i);
            left = next;
        }
        return i;
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
        if (end - begin < LANES) {
            rest.relaxProjected(stencil, u, f, lower, fixed, begin, end, shift, bound, omega);
            return;
        }
        int last = end + 2 - LANES;
        int next = stencil.isotropic
                ? relaxProjectedIsotropic(stencil, u, f, lower, fixed, begin, last, shift, bound, omega)
                : relaxProjectedWeighted(stencil, u, f, lower, fixed, begin, last, shift, bound, omega);
        rest.relaxProjected(stencil, u, f, lower, fixed, next, end, shift, bound, omega);
    }

    private static int relaxProjectedIsotropic(
            RowStencil stencil,
            double[] u,
            double[] f,
            double[] lower,
            boolean[] fixed,
            int begin,
            int last,
            int shift,
            int bound,
            double omega) {
        int row = stencil.row;
        int plane = stencil.plane;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = DoubleVector.fromArray(SPECIES, u, i - 1);
        for (; i <= last; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector next = DoubleVector.fromArray(SPECIES, u, i + LANES - 1);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row))
                    .add(left)
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane))
                    .mul(stencil.left);
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector free = here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale));
            free.blend(least, free.compare(VectorOperators.LT, least))
                    .blend(here, VectorMask.fromArray(SPECIES, fixed, i + bound).or(BETWEEN))
                    .intoArray(u, i);
            left = next;
        }
        return i;
    }

    private static int relaxProjectedWeighted(
            RowStencil stencil,
            double[] u,
            double[] f,
            double[] lower,
            boolean[] fixed,
            int begin,
            int last,
            int shift,
            int bound,
            double omega) {
        int row = stencil.row;
        int plane = stencil.plane;
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = DoubleVector.fromArray(SPECIES, u, i - 1);
        for (; i <= last; i += LANES) {
            DoubleVector here = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector next = DoubleVector.fromArray(SPECIES, u, i + LANES - 1);
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row).mul(stencil.up))
                    .add(left.mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane).mul(stencil.back));
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector free = here.mul(keep)
                    .add(sum.add(DoubleVector.fromArray(SPECIES, f, i + shift)).mul(scale));
            free.blend(least, free.compare(VectorOperators.LT, least))
                    .blend(here, VectorMask.fromArray(SPECIES, fixed, i + bound).or(BETWEEN))
                    .intoArray(u, i);
            left = next;
        }
        return i;
    }

    @Override
    public void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        int last = count - LANES;
        int x = stencil.isotropic
                ? residualIsotropic(stencil, u, f, begin, last, shift, target, at)
                : residualWeighted(stencil, u, f, begin, last, shift, target, at);
        rest.residual(stencil, u, f, begin + x, count - x, shift, target, at + x);
    }

    private static int residualIsotropic(
            RowStencil stencil, double[] u, double[] f, int begin, int last, int shift, double[] target, int at) {
        int row = stencil.row;
        int plane = stencil.plane;
        double center = stencil.diagonal;
        int x = 0;
        for (; x <= last; x += LANES) {
            int i = begin + x;
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row))
                    .add(DoubleVector.fromArray(SPECIES, u, i - 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane))
                    .mul(stencil.left);
            DoubleVector.fromArray(SPECIES, f, i + shift)
                    .add(sum.sub(DoubleVector.fromArray(SPECIES, u, i).mul(center)))
                    .intoArray(target, at + x);
        }
        return x;
    }

    private static int residualWeighted(
            RowStencil stencil, double[] u, double[] f, int begin, int last, int shift, double[] target, int at) {
        int row = stencil.row;
        int plane = stencil.plane;
        double center = stencil.diagonal;
        int x = 0;
        for (; x <= last; x += LANES) {
            int i = begin + x;
            DoubleVector sum = DoubleVector.fromArray(SPECIES, u, i - plane)
                    .mul(stencil.front)
                    .add(DoubleVector.fromArray(SPECIES, u, i - row).mul(stencil.up))
                    .add(DoubleVector.fromArray(SPECIES, u, i - 1).mul(stencil.left))
                    .add(DoubleVector.fromArray(SPECIES, u, i + 1).mul(stencil.right))
                    .add(DoubleVector.fromArray(SPECIES, u, i + row).mul(stencil.down))
                    .add(DoubleVector.fromArray(SPECIES, u, i + plane).mul(stencil.back));
            DoubleVector.fromArray(SPECIES, f, i + shift)
                    .add(sum.sub(DoubleVector.fromArray(SPECIES, u, i).mul(center)))
                    .intoArray(target, at + x);
        }
        return x;
    }

    @Override
    public void add(double weight, double[] from, int begin, double[] to, int at, int count) {
        int x = 0;
        for (int last = count - LANES; x <= last; x += LANES) {
            DoubleVector.fromArray(SPECIES, to, at + x)
                    .add(DoubleVector.fromArray(SPECIES, from, begin + x).mul(weight))
                    .intoArray(to, at + x);
        }
        rest.add(weight, from, begin + x, to, at + x, count - x);
    }

    @Override
    public void combine(double[] weights, double[] from, int[] rows, double[] to, int count) {
        double first = weights[0];
        double second = weights[1];
        double third = weights[2];
        double fourth = weights[3];
        int x = 0;
        for (int last = count - LANES; x <= last; x += LANES) {
            DoubleVector.fromArray(SPECIES, from, rows[0] + x)
                    .mul(first)
                    .add(DoubleVector.fromArray(SPECIES, from, rows[1] + x).mul(second))
                    .add(DoubleVector.fromArray(SPECIES, from, rows[2] + x).mul(third))
                    .add(DoubleVector.fromArray(SPECIES, from, rows[3] + x).mul(fourth))
                    .intoArray(to, x);
        }
        ScalarRows.combine(weights, from, rows, to, x, count);
    }

    @Override
    public void addAbove(double[] increments, double[] u, double[] lower, boolean[] fixed, int begin, int bound) {
        int x = 0;
        for (int last = increments.length - LANES; x <= last; x += LANES) {
            int i = begin + x;
            DoubleVector before = DoubleVector.fromArray(SPECIES, u, i);
            DoubleVector least = DoubleVector.fromArray(SPECIES, lower, i + bound);
            DoubleVector sum = before.add(DoubleVector.fromArray(SPECIES, increments, x));
            sum.blend(least, sum.compare(VectorOperators.LT, least))
                    .blend(
                            before,
                            before.compare(VectorOperators.LE, least)
                                    .or(VectorMask.fromArray(SPECIES, fixed, i + bound)))
                    .intoArray(u, i);
        }
        ScalarRows.addAbove(increments, u, lower, fixed, begin, bound, x);
    }

    @Override
    public void clearActive(
            double[] u, double[] lower, boolean[] fixed, int begin, int bound, double[] residual, double[] active) {
        DoubleVector zero = DoubleVector.zero(SPECIES);
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int x = 0;
        for (int last = residual.length - LANES; x <= last; x += LANES) {
            int i = begin + x;
            VectorMask<Double> isActive = DoubleVector.fromArray(SPECIES, u, i)
                    .compare(VectorOperators.LE, DoubleVector.fromArray(SPECIES, lower, i + bound))
                    .or(VectorMask.fromArray(SPECIES, fixed, i + bound));
            zero.blend(one, isActive).intoArray(active, x + 1);
            DoubleVector.fromArray(SPECIES, residual, x).blend(zero, isActive).intoArray(residual, x);
        }
        ScalarRows.clearActive(u, lower, fixed, begin, bound, residual, active, x);
    }

    @Override
    public double largest(double[] values, int first, int last, double before) {
        DoubleVector largest = DoubleVector.broadcast(SPECIES, before);
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            largest = largest.max(DoubleVector.fromArray(SPECIES, values, x).abs());
        }
        return rest.largest(values, x, last, largest.reduceLanes(VectorOperators.MAX));
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
        DoubleVector largest = DoubleVector.broadcast(SPECIES, before);
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            DoubleVector contact = DoubleVector.fromArray(SPECIES, u, begin + x)
                    .sub(DoubleVector.fromArray(SPECIES, lower, begin + bound + x))
                    .mul(diagonal);
            largest = largest.max(DoubleVector.fromArray(SPECIES, residual, x)
                    .neg()
                    .min(contact)
                    .abs());
        }
        return rest.largestNatural(
                residual, diagonal, u, lower, begin, bound, x, last, largest.reduceLanes(VectorOperators.MAX));
    }
}
