// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The Vector API, for levels and JVMs where {@link dev.volary.solvers.kernel.KernelChoice#vectorsPay} says so. */
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
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = load(u, i - 1);
        for (int last = end + 2 - LANES; i <= last; i += LANES) {
            DoubleVector here = load(u, i);
            DoubleVector next = load(u, i + LANES - 1);
            here.mul(keep)
                    .add(neighbors(stencil, u, i, left).add(load(f, i + shift)).mul(scale))
                    .blend(here, BETWEEN)
                    .intoArray(u, i);
            left = next;
        }
        rest.relax(stencil, u, f, i, end, shift, omega);
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
            double omega) {
        if (end - begin < LANES) {
            rest.relaxProjected(stencil, u, f, lower, fixed, begin, end, shift, omega);
            return;
        }
        double keep = 1 - omega;
        double scale = omega / stencil.diagonal;
        int i = begin;
        DoubleVector left = load(u, i - 1);
        for (int last = end + 2 - LANES; i <= last; i += LANES) {
            DoubleVector here = load(u, i);
            DoubleVector next = load(u, i + LANES - 1);
            DoubleVector bound = load(lower, i);
            DoubleVector free = here.mul(keep)
                    .add(neighbors(stencil, u, i, left).add(load(f, i + shift)).mul(scale));
            free.blend(bound, free.compare(VectorOperators.LT, bound))
                    .blend(here, VectorMask.fromArray(SPECIES, fixed, i).or(BETWEEN))
                    .intoArray(u, i);
            left = next;
        }
        rest.relaxProjected(stencil, u, f, lower, fixed, i, end, shift, omega);
    }

    @Override
    public void residual(
            RowStencil stencil, double[] u, double[] f, int begin, int count, int shift, double[] target, int at) {
        double center = stencil.diagonal;
        int x = 0;
        for (int last = count - LANES; x <= last; x += LANES) {
            int i = begin + x;
            load(f, i + shift)
                    .add(neighbors(stencil, u, i, load(u, i - 1)).sub(load(u, i).mul(center)))
                    .intoArray(target, at + x);
        }
        rest.residual(stencil, u, f, begin + x, count - x, shift, target, at + x);
    }

    /** As {@link RowStencil#neighbors}. */
    private static DoubleVector neighbors(RowStencil stencil, double[] u, int i, DoubleVector left) {
        int row = stencil.row;
        int plane = stencil.plane;
        if (stencil.isotropic) {
            return load(u, i - plane)
                    .add(load(u, i - row))
                    .add(left)
                    .add(load(u, i + 1))
                    .add(load(u, i + row))
                    .add(load(u, i + plane))
                    .mul(stencil.left);
        }
        return load(u, i - plane)
                .mul(stencil.front)
                .add(load(u, i - row).mul(stencil.up))
                .add(left.mul(stencil.left))
                .add(load(u, i + 1).mul(stencil.right))
                .add(load(u, i + row).mul(stencil.down))
                .add(load(u, i + plane).mul(stencil.back));
    }

    @Override
    public void add(double weight, double[] from, int begin, double[] to, int at, int count) {
        int x = 0;
        for (int last = count - LANES; x <= last; x += LANES) {
            load(to, at + x).add(load(from, begin + x).mul(weight)).intoArray(to, at + x);
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
            load(from, rows[0] + x)
                    .mul(first)
                    .add(load(from, rows[1] + x).mul(second))
                    .add(load(from, rows[2] + x).mul(third))
                    .add(load(from, rows[3] + x).mul(fourth))
                    .intoArray(to, x);
        }
        ScalarRows.combine(weights, from, rows, to, x, count);
    }

    @Override
    public void addAbove(double[] increments, double[] u, double[] lower, boolean[] fixed, int begin) {
        int x = 0;
        for (int last = increments.length - LANES; x <= last; x += LANES) {
            int i = begin + x;
            DoubleVector before = load(u, i);
            DoubleVector bound = load(lower, i);
            DoubleVector sum = before.add(load(increments, x));
            sum.blend(bound, sum.compare(VectorOperators.LT, bound))
                    .blend(before, active(before, bound, fixed, i))
                    .intoArray(u, i);
        }
        ScalarRows.addAbove(increments, u, lower, fixed, begin, x);
    }

    private static VectorMask<Double> active(DoubleVector values, DoubleVector bound, boolean[] fixed, int i) {
        return values.compare(VectorOperators.LE, bound).or(VectorMask.fromArray(SPECIES, fixed, i));
    }

    @Override
    public void clearActive(
            double[] u, double[] lower, boolean[] fixed, int begin, double[] residual, double[] active) {
        DoubleVector zero = DoubleVector.zero(SPECIES);
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int x = 0;
        for (int last = residual.length - LANES; x <= last; x += LANES) {
            int i = begin + x;
            VectorMask<Double> isActive = active(load(u, i), load(lower, i), fixed, i);
            zero.blend(one, isActive).intoArray(active, x + 1);
            load(residual, x).blend(zero, isActive).intoArray(residual, x);
        }
        ScalarRows.clearActive(u, lower, fixed, begin, residual, active, x);
    }

    @Override
    public double largest(double[] values, int first, int last, double before) {
        DoubleVector largest = DoubleVector.broadcast(SPECIES, before);
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            largest = largest.max(load(values, x).abs());
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
            int first,
            int last,
            double before) {
        DoubleVector largest = DoubleVector.broadcast(SPECIES, before);
        int x = first;
        for (int end = last + 1 - LANES; x <= end; x += LANES) {
            DoubleVector contact =
                    load(u, begin + x).sub(load(lower, begin + x)).mul(diagonal);
            largest = largest.max(load(residual, x).neg().min(contact).abs());
        }
        return rest.largestNatural(
                residual, diagonal, u, lower, begin, x, last, largest.reduceLanes(VectorOperators.MAX));
    }

    private static DoubleVector load(double[] values, int i) {
        return DoubleVector.fromArray(SPECIES, values, i);
    }
}
