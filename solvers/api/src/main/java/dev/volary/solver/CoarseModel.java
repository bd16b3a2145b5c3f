// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * A model whose blocks work in rounds with one coarse problem. All its blocks are {@link RoundBlock}s. The runtime asks for
 * it with {@code instanceof}.
 *
 * <p><b>A round.</b> Every block iterates once and publishes its halos and its <em>load</em>, what the coarse problem needs
 * of it. The {@link CoarseBlock} improves the coarse solution once and sends every block the part that it needs, its
 * <em>map</em>. With maps and halos of the same round the blocks iterate again. Loads, maps and halos are absolute values,
 * never corrections (the full approximation scheme, A. Brandt, Math. Comp. 31, 1977): a newer value replaces an older one, a
 * value used twice does nothing, and one that is lost or late only delays.
 *
 * <p>Nothing of this takes part in certification: a snapshot is evaluated by {@link Block#residual} alone.
 */
public interface CoarseModel extends Model {

    /** The sizes of loads and maps for one of this model's decompositions. */
    CoarseSizes coarse(Decomposition decomposition);

    /**
     * Opens the coarse problem. It needs no data of the blocks: loads that have not come are replaced by an estimate.
     *
     * @throws InvalidProblemException if it cannot be opened with these resources
     */
    CoarseBlock coarseBlock(Decomposition decomposition, Resources resources) throws InvalidProblemException;

    /** In a model with {@link #timeStepping} every block is a {@link SteppedBlock} too. */
    @Override
    RoundBlock block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException;
}
