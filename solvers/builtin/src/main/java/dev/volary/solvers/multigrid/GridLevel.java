// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solvers.kernel.KernelChoice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One level of a patch, or of the whole grid: values, right-hand side and correction, one layer of ghosts round them, and the
 * operator on them. Row major, in place; a point is addressed by its numbers on the level.
 *
 * <p>Ghosts on the boundary of the domain hold its values and never change. Others hold what neighbors sent, and are corrected
 * with the points.
 */
final class GridLevel {
    private static final int PAGE = 512;
    /**
     * How much more often relaxation visits a point: rounds are about ten, so the time until C2 has compiled vectorized loops weighs
     * more. In a fresh JVM ten rounds of one of two blocks took 1.5 times as long with vectors as with plain loops on 127³
     * points, 0.9 times on 255³.
     */
    private static final int VISITS_OF_RELAXATION = 64;

    final AxisLevel planes;
    final AxisLevel rows;
    final AxisLevel columns;
    /** The points inside. */
    final LevelBox inside;
    /** The points inside and the ghosts that are no boundary of the domain. */
    final LevelBox withGhosts;
    /** Values. */
    final double[] u;
    /** Right-hand side, laid out as the values, or one row for all if uniform. */
    final double[] f;
    /** What this level adds to the values injected from the next finer one. */
    final double[] c;
    /** The obstacle below which no value may lie, laid out as the values, or one row for all; empty if there is none. */
    final double[] lower;
    /** Points that coarse corrections and sweeps leave alone, because the finer level is in contact there; laid out as the obstacle. */
    final boolean[] fixed;

    /** A right-hand side of zero for one row. */
    private final double[] zeros;

    final RowKernel kernel;
    /** Of the points 1 … uniform of all axes. */
    private final RowStencil regular;

    private final RowStencil stencil;
    /** Of an operator whose coefficients differ from point to point. */
    private final @Nullable PointCoefficients varying;

    private final double reaction;
    private final boolean uniform;
    private final ObstacleLayout obstacle;
    private final int rowStride;
    private final int planeStride;
    private final int origin;

    /**
     * @param uniform whether the right-hand side is the same in all rows
     * @param corrected whether the level has corrections, which the finest does not
     */
    GridLevel(
            GridOperator operator,
            int level,
            LevelBox inside,
            boolean uniform,
            boolean corrected,
            ObstacleLayout obstacle) {
        this(operator, level, inside, uniform, corrected, obstacle, kernel(operator));
    }

    /** The same for all levels and blocks: vectors are slow where one process runs both kernels, as the compiler then inlines neither. */
    private static RowKernel kernel(GridOperator operator) {
        long unknowns = operator.unknowns().size();
        return KernelChoice.vectorsPay(unknowns / VISITS_OF_RELAXATION) ? new VectorRows() : new ScalarRows();
    }

    /** As the other constructor, with the kernel. */
    GridLevel(
            GridOperator operator,
            int level,
            LevelBox inside,
            boolean uniform,
            boolean corrected,
            ObstacleLayout obstacle,
            RowKernel kernel) {
        this.kernel = kernel;
        planes = operator.axis(0, level);
        rows = operator.axis(1, level);
        columns = operator.axis(2, level);
        reaction = operator.reaction();
        this.inside = inside;
        this.uniform = uniform;
        this.obstacle = obstacle;
        withGhosts = inside.withGhosts(operator, level);
        int width = length(inside, 2);
        rowStride = width % PAGE == 0 ? width + 8 : width;
        boolean solid = operator.has(0);
        long plane = (long) length(inside, 1) * rowStride;
        long size = solid ? length(inside, 0) * plane : plane;
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a patch needs an array of " + size + " elements");
        }
        planeStride = solid ? (int) plane : 0;
        regular = new RowStencil(rowStride, planeStride).of(this, 1, 1, 1);
        stencil = new RowStencil(rowStride, planeStride);
        origin = -(solid ? inside.lo(0) - 1 : 0) * planeStride - (inside.lo(1) - 1) * rowStride - (inside.lo(2) - 1);
        zeros = new double[inside.extent(2)];
        u = new double[(int) size];
        f = new double[uniform ? width : (int) size];
        c = new double[corrected ? (int) size : 0];
        lower = new double
                [switch (obstacle) {
                    case NONE -> 0;
                    case ONE_ROW -> width;
                    case EACH_POINT -> (int) size;
                }];
        fixed = new boolean[lower.length];
        if (isConstrained() && operator.flow().isPresent()) {
            throw new IllegalArgumentException("a velocity that differs from point to point has no obstacle");
        }
        varying = operator.flow()
                .map(flow -> new PointCoefficients(this, operator, level, flow, rowStride, planeStride))
                .orElse(null);
    }

    /** Whether the grid has planes, not one plane only. */
    boolean isSolid() {
        return planeStride > 0;
    }

    /** Whether there is an obstacle. */
    boolean isConstrained() {
        return obstacle != ObstacleLayout.NONE;
    }

    private static int length(LevelBox inside, int direction) {
        return inside.hi(direction) - inside.lo(direction) + 3;
    }

    /** Array index of a point or ghost. */
    int index(int plane, int row, int column) {
        return origin + plane * planeStride + row * rowStride + column;
    }

    /** What to add to the index of a value of a row for the index of its right-hand side. */
    private int shift(int plane, int row) {
        return uniform ? -index(plane, row, inside.lo(2) - 1) : 0;
    }

    /** What to add to the index of a value of a row for the index of its obstacle, and of the mark of a fixed point. */
    int obstacleShift(int plane, int row) {
        return obstacle == ObstacleLayout.ONE_ROW ? -index(plane, row, inside.lo(2) - 1) : 0;
    }

    /** A red-black Gauss-Seidel sweep with overrelaxation; red, the points with an even sum of numbers, always comes first. */
    void relax(double omega) {
        relaxColor(0, omega);
        relaxColor(1, omega);
    }

    private void relaxColor(int color, double omega) {
        for (int z = inside.lo(0); z <= inside.hi(0); z++) {
            relaxPlane(z, color, omega);
        }
    }

    /** Half of a sweep, the points of one color, in one plane. */
    void relaxPlane(int z, int color, double omega) {
        int last = inside.hi(2);
        int lastRegular = Math.min(last, columns.uniform);
        for (int y = inside.lo(1); y <= inside.hi(1); y++) {
            int first = inside.lo(2) + ((inside.lo(2) + y + z + color) & 1);
            relaxRow(z, y, first, lastRegular, 1, omega);
            if (last > lastRegular && last >= first && ((last - first) & 1) == 0) {
                relaxRow(z, y, last, last, last, omega);
            }
        }
    }

    /** Every other point from {@code first} to {@code last}, with the column coefficients of point {@code like}. */
    private void relaxRow(int z, int y, int first, int last, int like, double omega) {
        int begin = index(z, y, first);
        int end = begin + last - first;
        if (varying != null) {
            varying.relax(u, f, begin, end, shift(z, y), omega);
            return;
        }
        RowStencil row = stencil(z, y, like);
        if (isConstrained()) {
            kernel.relaxProjected(row, u, f, lower, fixed, begin, end, shift(z, y), obstacleShift(z, y), omega);
        } else {
            kernel.relax(row, u, f, begin, end, shift(z, y), omega);
        }
    }

    private RowStencil stencil(int z, int y, int x) {
        boolean isRegular = z <= planes.uniform && y <= rows.uniform && x <= columns.uniform;
        return isRegular ? regular : stencil.of(this, z, y, x);
    }

    /** The diagonal of the operator's row of a point. */
    double diagonal(int z, int y, int x) {
        return planes.left[z]
                + planes.right[z]
                + rows.left[y]
                + rows.right[y]
                + columns.left[x]
                + columns.right[x]
                + reaction;
    }

    /** Sets all values to zero that are no boundary values. */
    void clear() {
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                int begin = index(z, y, withGhosts.lo(2));
                Arrays.fill(u, begin, begin + withGhosts.extent(2), 0);
            }
        }
    }

    /** Lifts all values that are no boundary values to the obstacle, if there is one. */
    void project() {
        if (!isConstrained()) {
            return;
        }
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                int begin = index(z, y, withGhosts.lo(2));
                RowLoops.lift(u, lower, begin, obstacleShift(z, y), withGhosts.extent(2));
            }
        }
    }

    /** Writes {@code f − Au} of a row; {@code target[0]} belongs to the first point inside. */
    void residualRow(int z, int y, double[] target) {
        residualRow(z, y, f, shift(z, y), target);
    }

    /** Adds {@code Au} to the right-hand side, which is not uniform. */
    void addOperator(double[] scratch) {
        int length = inside.extent(2);
        for (int z = inside.lo(0); z <= inside.hi(0); z++) {
            for (int y = inside.lo(1); y <= inside.hi(1); y++) {
                int begin = index(z, y, inside.lo(2));
                residualRow(z, y, zeros, -begin, scratch);
                kernel.add(-1, scratch, 0, f, begin, length);
            }
        }
    }

    private void residualRow(int z, int y, double[] source, int shift, double[] target) {
        int first = inside.lo(2);
        int last = inside.hi(2);
        int lastRegular = Math.min(last, columns.uniform);
        int begin = index(z, y, first);
        if (varying != null) {
            varying.residual(u, source, begin, last - first + 1, shift, target);
            return;
        }
        kernel.residual(stencil(z, y, 1), u, source, begin, lastRegular - first + 1, shift, target, 0);
        if (last > lastRegular && last >= first) {
            int at = last - first;
            kernel.residual(stencil(z, y, last), u, source, begin + at, 1, shift, target, at);
        }
    }

    /** Sets the right-hand side, of which a uniform one is asked for one row only. */
    void setSource(PointSource source) {
        if (uniform) {
            Arrays.fill(f, source.at(inside.lo(0), inside.lo(1), inside.lo(2)));
            return;
        }
        for (int z = inside.lo(0); z <= inside.hi(0); z++) {
            for (int y = inside.lo(1); y <= inside.hi(1); y++) {
                for (int x = inside.lo(2); x <= inside.hi(2); x++) {
                    f[index(z, y, x)] = source.at(z, y, x);
                }
            }
        }
    }

    /** Sets the ghosts on the boundary of the domain, edges and corners included, in an array laid out as the values. */
    void setBoundary(double[] values, PointSource boundary) {
        int planeGhosts = isSolid() ? 1 : 0;
        int first = inside.lo(2) - 1;
        int last = inside.hi(2) + 1;
        for (int z = inside.lo(0) - planeGhosts; z <= inside.hi(0) + planeGhosts; z++) {
            for (int y = inside.lo(1) - 1; y <= inside.hi(1) + 1; y++) {
                boolean all = isOutside(planes, z) || isOutside(rows, y);
                for (int x = first; x <= last; x += all ? 1 : last - first) {
                    if (all || isOutside(columns, x)) {
                        values[index(z, y, x)] = boundary.at(z, y, x);
                    }
                }
            }
        }
    }

    private static boolean isOutside(AxisLevel axis, int k) {
        return k < 1 || k > axis.n;
    }

    /** Sets the obstacle, for points and for ghosts that are no boundary; one that is the same everywhere is asked for once. */
    void setLower(PointSource values) {
        if (obstacle == ObstacleLayout.ONE_ROW) {
            Arrays.fill(lower, values.at(inside.lo(0), inside.lo(1), inside.lo(2)));
            return;
        }
        Arrays.fill(lower, Double.NEGATIVE_INFINITY);
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                for (int x = withGhosts.lo(2); x <= withGhosts.hi(2); x++) {
                    lower[index(z, y, x)] = values.at(z, y, x);
                }
            }
        }
    }

    /** Sets the values of points and of ghosts that are no boundary. */
    void setValues(PointSource values) {
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                for (int x = withGhosts.lo(2); x <= withGhosts.hi(2); x++) {
                    u[index(z, y, x)] = values.at(z, y, x);
                }
            }
        }
    }

    /** A value for each point of a level. */
    @FunctionalInterface
    interface PointSource {
        double at(int plane, int row, int column);
    }

    /** Copies a box of an array that is laid out as the values; returns the next index of {@code target}. */
    int copyOut(double[] values, LevelBox box, double[] target, int offset) {
        if (box.size() == 0) {
            return offset;
        }
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                System.arraycopy(values, index(z, y, box.lo(2)), target, next, length);
                next += length;
            }
        }
        return next;
    }

    /** The reverse of {@link #copyOut}. */
    int copyIn(double[] values, LevelBox box, double[] source, int offset) {
        if (box.size() == 0) {
            return offset;
        }
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                System.arraycopy(source, next, values, index(z, y, box.lo(2)), length);
                next += length;
            }
        }
        return next;
    }

    /** Writes 1 for the fixed points of a box and 0 for the others. */
    void copyFixedOut(LevelBox box, double[] target, int offset) {
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                RowLoops.copyFixedOut(fixed, index(z, y, box.lo(2)), target, next, length);
                next += length;
            }
        }
    }

    /** Fixes the points for which {@code source} has 1, at the values that begin at {@code valuesAt}, and frees the others. */
    void copyFixedIn(LevelBox box, double[] source, int valuesAt, int fixedAt) {
        int next = 0;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int begin = index(z, y, box.lo(2));
                RowLoops.copyFixedIn(source, fixedAt + next, valuesAt + next, fixed, u, begin, length);
                next += length;
            }
        }
    }
}
