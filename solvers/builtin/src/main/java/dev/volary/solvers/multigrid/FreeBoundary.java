// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import java.util.Arrays;

/**
 * The points of a level near the boundary between contact with an obstacle and none. There a cycle reduces errors less than elsewhere,
 * as the coarse problem knows that boundary to within a cell only; a few sweeps more make up for it (local relaxation, A. Brandt,
 * Multigrid Techniques, 1984). They are few points, n² of n³. Sweeps leave out points in contact that are farther from it, with their
 * neighbors, and that nothing pulls off the obstacle: they would not move.
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
    /** The same for tiles with a point whose whole stencil is in contact. */
    private final long[] whole;
    /** The same for tiles within reach of the boundary. */
    private final long[] near;
    /** The same for tiles in which a sweep may move a point. */
    private final long[] open;
    /** Pairs of planes and rows in which some point in contact is pulled off the obstacle. */
    private final boolean[] pulled;

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
        whole = new long[crossed.length];
        near = new long[crossed.length];
        open = new long[crossed.length];
        Arrays.fill(open, -1);
        pulled = new boolean[crossed.length];
        scratch = new long[crossed.length];
    }

    /** A grid that is one plane has plane 1 on all levels. */
    private int pairOfPlanes(int plane) {
        return level.isSolid() ? plane >> 1 : plane;
    }

    /** Must precede {@link #add}. */
    void clear() {
        Arrays.fill(crossed, 0);
        Arrays.fill(whole, 0);
        Arrays.fill(pulled, false);
    }

    /** Says that a point in contact in a row of the level is pulled off the obstacle, so that sweeps must not leave it out. */
    void keepOpen(int z, int y) {
        pulled[pair(z, y)] = true;
    }

    private int pair(int z, int y) {
        return (pairOfPlanes(z) - firstPlane) * rows + (y >> 1) - firstRow;
    }

    /**
     * Adds the coarse points of a row with contact, from {@code column} on.
     *
     * @param weights how much of each stencil is in contact, beginning at {@code begin}
     * @param all the weight of a whole stencil
     */
    void add(int plane, int row, int column, double[] weights, int begin, int count, int all) {
        long atBoundary = 0;
        long inContact = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights[begin + k];
            if (weight > 0) {
                int at = 2 * (column + k);
                if (weight < all) {
                    atBoundary |= bit(at - 2 * REACH) | bit(at + 2 * REACH);
                } else {
                    inContact |= bit(at);
                }
            }
        }
        int pair = (plane - firstPlane) * rows + row - firstRow;
        crossed[pair] = atBoundary;
        whole[pair] = inContact;
    }

    private long bit(int column) {
        int tile = (column >> shift) - firstTile;
        return tile < 0 || tile >= TILES ? 0 : 1L << tile;
    }

    /** Must follow the last point that was added: finds what is within reach of the boundary, and what sweeps may leave out. */
    void close() {
        for (int plane = 0; plane < planes; plane++) {
            spread(crossed, scratch, plane * rows, 1, rows);
        }
        for (int row = 0; row < rows; row++) {
            spread(scratch, near, row, rows, planes);
        }
        for (int pair = 0; pair < open.length; pair++) {
            // Away from the boundary a tile is in contact altogether or not at all.
            open[pair] = pulled[pair] ? -1 : ~whole[pair] | near[pair];
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

    /** Half of a sweep over the points near the boundary, those of one color, in one plane. */
    void relaxNear(int z, int color) {
        for (int y = level.inside.lo(1); y <= level.inside.hi(1); y++) {
            long tiles = near[pair(z, y)];
            if (tiles != 0) {
                level.relaxTiles(z, y, color, tiles, firstTile, shift, OMEGA);
            }
        }
    }

    /** Half of a sweep over all points that may move. */
    void relaxOpen(int z, int color, double omega) {
        for (int y = level.inside.lo(1); y <= level.inside.hi(1); y++) {
            level.relaxTiles(z, y, color, open[pair(z, y)], firstTile, shift, omega);
        }
    }
}
