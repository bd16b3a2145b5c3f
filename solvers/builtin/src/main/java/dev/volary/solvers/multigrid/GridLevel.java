// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.kernel.SavedArrays;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One level of a patch, or of the whole grid: values, right-hand side and correction, one layer of ghosts round them, and the
 * operator on them. Row major, in place; a point is addressed by its numbers on the level.
 *
 * <p>Of the values the red points come first, those with an even sum of numbers, then the black ones, so that half of a sweep
 * reads and writes consecutive elements. Of a row, every other point is red. Corrections are in order, as their interpolation
 * reads them.
 *
 * <p>Ghosts on the boundary of the domain hold its values and never change. Others hold what neighbors sent, and are corrected
 * with the points.
 */
final class GridLevel {
    private static final int PAGE = 512;
    /**
     * How much more often relaxation visits a point: rounds are about ten, so the time until C2 has compiled vectorized loops weighs
     * more. In a fresh JVM ten rounds of two blocks took 0.7 to 1.3 times as long with vectors as with plain loops on 127³ points,
     * and the command that ran them 0.2 to 0.5 s longer; on 255³ points they took 0.9 times as long.
     */
    private static final int VISITS_OF_RELAXATION = 64;

    final AxisLevel planes;
    final AxisLevel rows;
    final AxisLevel columns;
    /** The points inside. */
    final LevelBox inside;
    /** The points inside and the ghosts that are no boundary of the domain. */
    final LevelBox withGhosts;
    /** The points inside and all ghosts. */
    final LevelBox all;
    /** Values. */
    final double[] u;
    /** Right-hand side, laid out as the values, or half a row for all if uniform. */
    final double[] f;
    /** What this level adds to the values injected from the next finer one, while it is on its way; addressed by {@link #correctionIndex}. */
    final double[] c;
    /** The obstacle below which no value may lie, laid out as the values, or half a row for all; empty if there is none. */
    final double[] lower;
    /** Points that coarse corrections and sweeps leave alone, because the finer level is in contact there; laid out as the obstacle. */
    final boolean[] fixed;

    /** A right-hand side of zero for half a row. */
    private final double[] zeros;

    final RowKernel kernel;
    /** Of the points 1 … uniform of all axes, by color and whether the column is odd. */
    private final RowStencil[][] regular = new RowStencil[2][2];

    private final RowStencil[][] irregular = new RowStencil[2][2];
    /** Of an operator whose coefficients differ from point to point. */
    private final @Nullable PointCoefficients varying;

    private final double reaction;
    private final boolean uniform;
    private final ObstacleLayout obstacle;
    /** Elements of a row's points of one color. */
    private final int half;
    /** The first element of half a row belongs to point 2 · firstPair or the one after it. */
    private final int firstPair;
    /** Elements of one color. */
    private final int colorStride;

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
        all = inside.withAllGhosts(operator);
        firstPair = (inside.lo(2) - 1) >> 1;
        half = ((inside.hi(2) + 1) >> 1) - firstPair + 1;
        rowStride = half % PAGE == 0 ? half + 8 : half;
        boolean solid = operator.has(0);
        long plane = (long) all.extent(1) * rowStride;
        long color = solid ? all.extent(0) * plane : plane;
        long size = 2 * color + RowKernel.SLACK;
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a patch needs an array of " + size + " elements");
        }
        colorStride = (int) color;
        planeStride = solid ? (int) plane : 0;
        for (int k = 0; k < 2; k++) {
            int otherColor = k == 0 ? colorStride : -colorStride;
            for (int odd = 0; odd < 2; odd++) {
                regular[k][odd] = new RowStencil(otherColor, rowStride, planeStride, odd).of(this, 1, 1, 1);
                irregular[k][odd] = new RowStencil(otherColor, rowStride, planeStride, odd);
            }
        }
        origin = -(solid ? inside.lo(0) - 1 : 0) * planeStride - (inside.lo(1) - 1) * rowStride - firstPair;
        zeros = new double[half + RowKernel.SLACK];
        u = new double[(int) size];
        f = new double[uniform ? half + RowKernel.SLACK : (int) size];
        c = new double[corrected ? all.size() + RowKernel.SLACK : 0];
        lower = new double
                [switch (obstacle) {
                    case NONE -> 0;
                    case ONE_ROW -> half + RowKernel.SLACK;
                    case EACH_POINT -> (int) size;
                }];
        fixed = new boolean[lower.length];
        if (isConstrained() && operator.flow().isPresent()) {
            throw new IllegalArgumentException("a velocity that differs from point to point has no obstacle");
        }
        varying = operator.flow()
                .map(flow -> new PointCoefficients(this, operator, level, flow))
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

    /** Array index of a point or ghost. */
    int index(int plane, int row, int column) {
        int color = (plane + row + column) & 1;
        return origin + color * colorStride + plane * planeStride + row * rowStride + (column >> 1);
    }

    /** Array index of the point that is point {@code (plane, row, column)} of the next coarser level; those of a row follow each other. */
    int indexBelow(int plane, int row, int column) {
        return index(isSolid() ? 2 * plane : plane, 2 * row, 2 * column);
    }

    /** Sets the values of a box's row to those of the next finer level at the same points. */
    void injectRow(GridLevel finer, LevelBox box, int z, int y) {
        int first = index(z, y, box.lo(2));
        int second = index(z, y, box.lo(2) + 1);
        RowLoops.split(finer.u, finer.indexBelow(z, y, box.lo(2)), u, first, second, box.extent(2));
    }

    /** A row of zeros for {@link #slot}. */
    double[] newRow() {
        return new double[2 * half + RowKernel.SLACK];
    }

    /** The element of a scratch row that belongs to a point or ghost: even ones come first. */
    int slot(int column) {
        return (column & 1) * half + (column >> 1) - firstPair;
    }

    /** The points from {@code first} to {@code last} that are as even or odd as {@code first}. */
    static int countHalf(int first, int last) {
        return (last - first + 2) >> 1;
    }

    /** Array index of the correction of a point or ghost; those of a row follow each other. */
    int correctionIndex(int plane, int row, int column) {
        return ((plane - all.lo(0)) * all.extent(1) + row - all.lo(1)) * all.extent(2) + column - all.lo(2);
    }

    /** What to add to the index of a value of half a row for the index of its right-hand side. */
    private int shift(int plane, int row, int column) {
        return uniform ? toOneRow(plane, row, column) : 0;
    }

    /** What to add to the index of a value of half a row for the index of its obstacle, and of the mark of a fixed point. */
    int obstacleShift(int plane, int row, int column) {
        return obstacle == ObstacleLayout.ONE_ROW ? toOneRow(plane, row, column) : 0;
    }

    /** From an index to that in an array that has one half of a row for all. */
    private int toOneRow(int plane, int row, int column) {
        return (column >> 1) - firstPair - index(plane, row, column);
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
        for (int y = inside.lo(1); y <= inside.hi(1); y++) {
            int first = firstOf(color, z, y);
            relaxRow(z, y, first, Math.min(inside.hi(2), columns.uniform), 1, omega);
            relaxLast(z, y, first, omega);
        }
    }

    private int firstOf(int color, int z, int y) {
        int first = inside.lo(2);
        return first + ((first + y + z + color) & 1);
    }

    /**
     * Half of a sweep in a part of a row, with an obstacle: bit t of {@code tiles} stands for columns {@code (firstTile + t) << shift} to
     * {@code ((firstTile + t + 1) << shift) − 1}.
     */
    void relaxTiles(int z, int y, int color, long tiles, int firstTile, int shift, double omega) {
        int first = firstOf(color, z, y);
        int last = inside.hi(2);
        int begin = index(z, y, first);
        int end = begin + countHalf(first, Math.min(last, columns.uniform));
        int ofFirstTile = begin + ((firstTile << shift) >> 1) - (first >> 1);
        int shiftOfSource = shift(z, y, first);
        int bound = obstacleShift(z, y, first);
        RowStencil row = stencil(z, y, 1, first);
        long left = tiles;
        while (left != 0) {
            int tile = Long.numberOfTrailingZeros(left);
            int next = tile + Long.numberOfTrailingZeros(~(left >>> tile));
            int from = Math.max(begin, ofFirstTile + ((tile << shift) >> 1));
            int to = Math.min(end, ofFirstTile + ((next << shift) >> 1));
            if (from < to) {
                kernel.relaxProjected(row, u, f, lower, fixed, from, to - from, shiftOfSource, bound, omega);
            }
            left = next >= Long.SIZE ? 0 : left & (-1L << next);
        }
        if ((tiles >>> ((last >> shift) - firstTile) & 1) == 1) {
            relaxLast(z, y, first, omega);
        }
    }

    /** Relaxes the last point of a row if its cell has another length than the others, and it is as even or odd as {@code first}. */
    private void relaxLast(int z, int y, int first, double omega) {
        int last = inside.hi(2);
        if (last > columns.uniform && last >= first && ((last - first) & 1) == 0) {
            relaxRow(z, y, last, last, last, omega);
        }
    }

    /** Every other point from {@code first} to {@code last}, with the column coefficients of point {@code like}. */
    private void relaxRow(int z, int y, int first, int last, int like, double omega) {
        int begin = index(z, y, first);
        int count = countHalf(first, last);
        int shift = shift(z, y, first);
        RowStencil row = stencil(z, y, like, first);
        if (varying != null) {
            varying.relax(row, u, f, begin, count, shift, omega);
        } else if (isConstrained()) {
            kernel.relaxProjected(row, u, f, lower, fixed, begin, count, shift, obstacleShift(z, y, first), omega);
        } else {
            kernel.relax(row, u, f, begin, count, shift, omega);
        }
    }

    /** The stencil of every other point from {@code first} on, with the column coefficients of point {@code like}. */
    private RowStencil stencil(int z, int y, int like, int first) {
        int color = (z + y + first) & 1;
        boolean isRegular = z <= planes.uniform && y <= rows.uniform && like <= columns.uniform;
        return isRegular ? regular[color][first & 1] : irregular[color][first & 1].of(this, z, y, like);
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
        int last = withGhosts.hi(2);
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                for (int first = withGhosts.lo(2); first < withGhosts.lo(2) + 2; first++) {
                    int begin = index(z, y, first);
                    Arrays.fill(u, begin, begin + countHalf(first, last), 0);
                }
            }
        }
    }

    /** Lifts all values that are no boundary values to the obstacle, if there is one. */
    void project() {
        if (!isConstrained()) {
            return;
        }
        int last = withGhosts.hi(2);
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                for (int first = withGhosts.lo(2); first < withGhosts.lo(2) + 2; first++) {
                    RowLoops.lift(u, lower, index(z, y, first), obstacleShift(z, y, first), countHalf(first, last));
                }
            }
        }
    }

    /** Writes {@code f − Au} of a row, see {@link #slot}. */
    void residualRow(int z, int y, double[] target) {
        residualRow(z, y, f, uniform, target);
    }

    /** Sets the right-hand side of a plane to zero; it is not uniform. */
    void clearSource(int z) {
        int rowsOfPlane = all.extent(1) * rowStride;
        for (int color = 0; color < 2; color++) {
            int begin = origin + color * colorStride + z * planeStride + all.lo(1) * rowStride + firstPair;
            Arrays.fill(f, begin, begin + rowsOfPlane, 0);
        }
    }

    /** Adds {@code Au} to the right-hand side of a plane; it is not uniform. */
    void addOperator(int z, double[] scratch) {
        int last = inside.hi(2);
        for (int y = inside.lo(1); y <= inside.hi(1); y++) {
            residualRow(z, y, zeros, true, scratch);
            for (int first = inside.lo(2); first < inside.lo(2) + 2; first++) {
                kernel.add(-1, scratch, slot(first), f, index(z, y, first), countHalf(first, last));
            }
        }
    }

    private void residualRow(int z, int y, double[] source, boolean isOneRow, double[] target) {
        int last = inside.hi(2);
        int lastRegular = varying == null ? Math.min(last, columns.uniform) : last;
        for (int first = inside.lo(2); first < inside.lo(2) + 2; first++) {
            residualHalf(z, y, first, lastRegular, 1, source, isOneRow, target);
        }
        if (last > lastRegular && last >= inside.lo(2)) {
            residualHalf(z, y, last, last, last, source, isOneRow, target);
        }
    }

    /** Every other point from {@code first} to {@code last}, with the column coefficients of point {@code like}. */
    private void residualHalf(
            int z, int y, int first, int last, int like, double[] source, boolean isOneRow, double[] target) {
        int begin = index(z, y, first);
        int count = countHalf(first, last);
        int shift = isOneRow ? toOneRow(z, y, first) : 0;
        RowStencil row = stencil(z, y, like, first);
        if (varying != null) {
            varying.residual(row, u, source, begin, count, shift, target, slot(first));
        } else {
            kernel.residual(row, u, source, begin, count, shift, target, slot(first));
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
        int first = all.lo(2);
        int last = all.hi(2);
        for (int z = all.lo(0); z <= all.hi(0); z++) {
            for (int y = all.lo(1); y <= all.hi(1); y++) {
                boolean isOutside = isOutside(planes, z) || isOutside(rows, y);
                for (int x = first; x <= last; x += isOutside ? 1 : last - first) {
                    if (isOutside || isOutside(columns, x)) {
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
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int first = index(z, y, box.lo(2));
                RowLoops.merge(values, first, index(z, y, box.lo(2) + 1), target, next, length);
                next += length;
            }
        }
        return next;
    }

    /** Saves the values of all points, in their order, so that what is saved does not depend on the layout of an array. */
    void write(double[] values, DataOutput out) throws IOException {
        SavedArrays.Writer writer = new SavedArrays.Writer(out, all.size());
        double[] row = new double[all.extent(2)];
        for (int z = all.lo(0); z <= all.hi(0); z++) {
            for (int y = all.lo(1); y <= all.hi(1); y++) {
                int first = index(z, y, all.lo(2));
                RowLoops.merge(values, first, index(z, y, all.lo(2) + 1), row, 0, row.length);
                writer.put(row, 0, row.length);
            }
        }
        writer.flush();
    }

    /** As {@link #write}, of the corrections. */
    void writeCorrections(DataOutput out) throws IOException {
        SavedArrays.Writer writer = new SavedArrays.Writer(out, all.size());
        for (int z = all.lo(0); z <= all.hi(0); z++) {
            for (int y = all.lo(1); y <= all.hi(1); y++) {
                writer.put(c, correctionIndex(z, y, all.lo(2)), all.extent(2));
            }
        }
        writer.flush();
    }

    /** The reverse of {@link #copyOut}. */
    int copyIn(double[] values, LevelBox box, double[] source, int offset) {
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                int first = index(z, y, box.lo(2));
                RowLoops.split(source, next, values, first, index(z, y, box.lo(2) + 1), length);
                next += length;
            }
        }
        return next;
    }

    /** As {@link #copyOut}, of the corrections. */
    int copyCorrectionsOut(LevelBox box, double[] target, int offset) {
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                System.arraycopy(c, correctionIndex(z, y, box.lo(2)), target, next, length);
                next += length;
            }
        }
        return next;
    }

    /** The reverse of {@link #copyCorrectionsOut}. */
    int copyCorrectionsIn(LevelBox box, double[] source, int offset) {
        int next = offset;
        int length = box.extent(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                System.arraycopy(source, next, c, correctionIndex(z, y, box.lo(2)), length);
                next += length;
            }
        }
        return next;
    }

    /** Writes 1 for the fixed points of a box and 0 for the others. */
    void copyFixedOut(LevelBox box, double[] target, int offset) {
        int next = offset;
        int last = box.hi(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int first = box.lo(2); first < box.lo(2) + 2; first++) {
                    int to = next + first - box.lo(2);
                    RowLoops.copyFixedOut(fixed, index(z, y, first), target, to, countHalf(first, last));
                }
                next += box.extent(2);
            }
        }
    }

    /** Fixes the points for which {@code source} has 1, at the values that begin at {@code valuesAt}, and frees the others. */
    void copyFixedIn(LevelBox box, double[] source, int valuesAt, int fixedAt) {
        int next = 0;
        int last = box.hi(2);
        for (int z = box.lo(0); z <= box.hi(0); z++) {
            for (int y = box.lo(1); y <= box.hi(1); y++) {
                for (int first = box.lo(2); first < box.lo(2) + 2; first++) {
                    int from = next + first - box.lo(2);
                    RowLoops.copyFixedIn(
                            source,
                            fixedAt + from,
                            valuesAt + from,
                            fixed,
                            u,
                            index(z, y, first),
                            countHalf(first, last));
                }
                next += box.extent(2);
            }
        }
    }

    /** Sets the corrections of fixed points to zero. */
    void clearFixedCorrections() {
        if (fixed.length == 0) {
            return;
        }
        int last = withGhosts.hi(2);
        for (int z = withGhosts.lo(0); z <= withGhosts.hi(0); z++) {
            for (int y = withGhosts.lo(1); y <= withGhosts.hi(1); y++) {
                for (int first = withGhosts.lo(2); first < withGhosts.lo(2) + 2; first++) {
                    int at = correctionIndex(z, y, first);
                    RowLoops.clearFixed(c, at, fixed, index(z, y, first), countHalf(first, last));
                }
            }
        }
    }
}
