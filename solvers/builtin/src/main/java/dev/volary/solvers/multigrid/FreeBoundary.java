// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * The points of a level near the boundary between contact with an obstacle and none. There a cycle reduces errors less than elsewhere,
 * as the coarse problem knows that boundary to within a cell only; a few sweeps more make up for it (local relaxation, A. Brandt,
 * Multigrid Techniques, 1984). They are few points, n² of n³.
 *
 * <p>Points are taken in tiles of a row, so that sweeps run over parts of rows.
 */
final class FreeBoundary {
    /** Found by experiment on 63³ to 255³ points, as the numbers of sweeps. 1.6 takes two rounds more on 255³, 1.8 one on the others. */
    static final double OMEGA = 1.75;

    /** Coarse points on both sides of the boundary; a tile is at least as wide as twice that. */
    private static final int REACH = 2;

    private static final int BITS_OF_REACH = 3;

    private static final int TILES = Long.SIZE;

    private final GridLevel level;
    /** Planes and rows of the level are numbered in pairs, as its coarse points are, from these on. */
    private final int firstPlane;

    private final int firstRow;
    private final int planes;
    private final int rows;
    /** Columns {@code 2^shift · t} to {@code 2^shift · (t + 1) − 1} are tile t; these begin with the first. */
    private final int shift;

    private final int firstTile;
    /** A bit for each tile that the boundary crosses, by pair of planes and pair of rows. */
    private final long[] crossed;
    /** The same for tiles within reach. */
    private final long[] near;

    private final long[] scratch;

    /** Without points. */
    FreeBoundary(GridLevel level) {
        this.level = level;
        LevelBox inside = level.inside;
        firstPlane = pairOfPlanes(inside.lo(0));
        firstRow = inside.lo(1) >> 1;
        planes = level.isConstrained() ? pairOfPlanes(inside.hi(0)) - firstPlane + 1 : 0;
        rows = (inside.hi(1) >> 1) - firstRow + 1;
        int bits = BITS_OF_REACH;
        while ((inside.hi(2) >> bits) - (inside.lo(2) >> bits) >= TILES) {
            bits++;
        }
        shift = bits;
        firstTile = inside.lo(2) >> shift;
        crossed = new long[planes * rows];
        near = new long[crossed.length];
        scratch = new long[crossed.length];
    }

    /** A grid that is one plane has plane 1 on all levels. */
    private int pairOfPlanes(int plane) {
        return level.isSolid() ? plane >> 1 : plane;
    }

    /** Must precede {@link #add}. */
    void clear() {
        Arrays.fill(crossed, 0);
    }

    /**
     * Adds coarse points that the boundary crosses, those of whose stencil a part is in contact; of a coarse row every other point from
     * {@code column} on.
     *
     * @param weights how much of each stencil is in contact, beginning at {@code begin}
     * @param whole the weight of a whole stencil
     */
    void add(int plane, int row, int column, double[] weights, int begin, int count, int whole) {
        long tiles = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights[begin + k];
            if (weight > 0 && weight < whole) {
                int at = 2 * (column + 2 * k);
                tiles |= bit(at - 2 * REACH) | bit(at + 2 * REACH);
            }
        }
        crossed[(plane - firstPlane) * rows + row - firstRow] |= tiles;
    }

    private long bit(int column) {
        int tile = (column >> shift) - firstTile;
        return tile < 0 || tile >= TILES ? 0 : 1L << tile;
    }

    private int firstColumn(int tile) {
        return (firstTile + tile) << shift;
    }

    /** Must follow the last point that was added: replaces the points by what is within reach of these. */
    void close() {
        for (int plane = 0; plane < planes; plane++) {
            spread(crossed, scratch, plane * rows, 1, rows);
        }
        for (int row = 0; row < rows; row++) {
            spread(scratch, near, row, rows, planes);
        }
    }

    private static void spread(long[] from, long[] to, int begin, int stride, int count) {
        for (int k = 0; k < count; k++) {
            long tiles = 0;
            for (int j = Math.max(0, k - REACH); j <= Math.min(count - 1, k + REACH); j++) {
                tiles |= from[begin + j * stride];
            }
            to[begin + k * stride] = tiles;
        }
    }

    /** Half of a sweep, the points of one color, in one plane. */
    void relaxPlane(int z, int color) {
        int first = (pairOfPlanes(z) - firstPlane) * rows - firstRow;
        for (int y = level.inside.lo(1); y <= level.inside.hi(1); y++) {
            long tiles = near[first + (y >> 1)];
            while (tiles != 0) {
                int begin = Long.numberOfTrailingZeros(tiles);
                int end = begin + Long.numberOfTrailingZeros(~(tiles >>> begin));
                level.relaxPart(z, y, color, firstColumn(begin), firstColumn(end) - 1, OMEGA);
                tiles = end == TILES ? 0 : tiles & (-1L << end);
            }
        }
    }
}
