// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * One block of a {@link CoarseModel}. In a round the runtime passes it a map, lets it {@linkplain #iterate iterate} on halos
 * of the iteration that the map was made from, and sends its halos and its load.
 *
 * <p>A block that never receives a map still improves with every iteration, only slowly. A block without new halos or a new
 * map may iterate as well: it works on what it has.
 *
 * <p>{@link #writeHalo} writes and {@link #iterate} reads {@link Edge#haloSize} values: the edge's values, then what only blocks
 * need of each other. A shorter array, such as a recorded halo, holds the edge's values alone; both methods accept it. In a
 * longer one the rest is not theirs.
 *
 * <p>Maps and loads are not part of the state: {@link #save} does not write them, and the runtime passes a restored block the
 * newest map.
 */
public interface RoundBlock extends HaloWriter {

    /**
     * Replaces the coarse solution that {@link #iterate} reads. Values are absolute: a map that is used in two iterations
     * does no harm. The array is not kept.
     *
     * @param map as long as {@link CoarseSizes#map} says
     */
    void takeMap(double[] map);

    /**
     * Writes what the coarse problem needs of the state after the last {@link #iterate}.
     *
     * @param target at least as long as {@link CoarseSizes#load} says
     */
    void writeLoad(double[] target);

    /**
     * Maximum norm of the residual on the core, in the units of {@link Model#scale}, for the state that the last
     * {@link #iterate} ended with and the halos it read. The largest of all blocks in a complete round says how far the
     * rounds have come.
     */
    double roundResidual();

    /**
     * How many iterations a restored block must make on the newest map and halos before it publishes anything. Without
     * them its rough error would spread to its neighbors.
     *
     * @param fromCopy whether the block was restored from a copy of its core, not from a map
     */
    default int healing(boolean fromCopy) {
        return fromCopy ? 3 : 8;
    }

    /**
     * Replaces the state by the interpolated coarse solution, when no copy of the block is left. The map stays in force as
     * after {@link #takeMap}.
     */
    void restoreFromMap(double[] map);

    /** Infinite: every iteration changes all of the core. */
    @Override
    default double reach() {
        return Double.POSITIVE_INFINITY;
    }
}
