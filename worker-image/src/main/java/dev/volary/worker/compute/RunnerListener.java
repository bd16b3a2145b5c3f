// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import java.util.Optional;

/** Receives the events of a block's runner; called on the compute thread, must return at once. */
public interface RunnerListener {

    /** The first iteration of this incarnation is done. */
    void firstIterationDone(BlockRunner runner);

    /** The core was copied at an iteration boundary. */
    void recorded(BlockRunner runner, RecordedCore core);

    /**
     * The state was copied at an iteration boundary, for this backup slot.
     *
     * @param last the block rests from now on
     * @param nanos how long copying took
     */
    void backedUp(BlockRunner runner, int slot, boolean last, BlockState state, long nanos);

    /**
     * Synchronous scheme: the state was copied after exactly the iteration of a checkpoint; not at all if the block was past
     * it.
     *
     * @param nanos how long copying took
     */
    void checkpointed(BlockRunner runner, int slot, long iteration, Optional<BlockState> state, long nanos);

    /**
     * Synchronous scheme: the block has come to an iteration.
     *
     * @param passed it passed a test there, and waits
     * @param asked whether this answers a request
     */
    void tested(BlockRunner runner, long iteration, boolean passed, boolean asked);

    /**
     * A backup was found after the block had started without it.
     *
     * @param iteration of the backup
     * @param adopted whether the block continues from it, because its residual is smaller
     */
    void backupArrivedLate(BlockRunner runner, long iteration, boolean adopted);

    /** Verification tree: how the block's pseudo-period of this phase went. */
    void phaseElapsed(BlockRunner runner, int phase, boolean passed);

    /** The block cannot continue; the reason names the block, the value and the remedy. */
    void failed(BlockRunner runner, String reason);

    /** Synchronous scheme: the halo of this iteration is overdue. */
    void haloOverdue(int from, int to, int step, long iteration);

    /** The block has committed a step, and is in the next one. */
    void stepCommitted(BlockRunner runner, int step);

    /**
     * The residual hint is within the tolerance: for the first time in this step, or again after it was far above. Or a block in
     * rounds has come to rest.
     */
    void nearlyConverged(BlockRunner runner);
}
