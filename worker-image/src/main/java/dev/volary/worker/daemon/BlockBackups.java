// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.compute.BlockState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where blocks are backed up (docs/explanation/backups-and-checkpoints.md, "where backups go"): newest available, possibly
 * stale, never corrupt. No method blocks; all may be called by any thread.
 */
interface BlockBackups extends AutoCloseable {

    /** Keeps no backups: a block that lost its daemon starts again from its neighbors' halos. */
    BlockBackups NONE = new BlockBackups() {
        @Override
        public CompletableFuture<Void> put(int block, Incarnation incarnation, BlockState state, boolean last) {
            return CompletableFuture.failedFuture(
                    new IOException("block " + block + " cannot be backed up: this job keeps no backups"));
        }

        @Override
        public CompletableFuture<Optional<BlockState>> newest(int block, Optional<BackupVersion> known) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletableFuture<Void> putGeneration(int slot, int block, Incarnation incarnation, BlockState state) {
            return put(block, incarnation, state, true);
        }

        @Override
        public CompletableFuture<List<StoredGeneration>> generations(int block) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public void forget(int block) {}

        @Override
        public List<WorkerId> holders(int block) {
            return List.of();
        }

        @Override
        public int reachableHolders() {
            return 0;
        }

        @Override
        public long lostHolders() {
            return 0;
        }

        @Override
        public void jobEndsSoon(boolean isSo) {}

        @Override
        public void close() {}
    };

    /**
     * Keeps a block's state with one of its holders in turn, unless a newer incarnation is kept already. Completes when a
     * holder has it, exceptionally if none has it within a bound.
     *
     * @param state not read any more once this returns
     * @param last with all of its holders: none other will follow
     */
    CompletableFuture<Void> put(int block, Incarnation incarnation, BlockState state, boolean last);

    /**
     * The newest state of a block, by incarnation and then by iteration, that any holder still has; none if no holder can be
     * asked within a bound. Never completes exceptionally.
     *
     * @param known a copy that is known to exist: slow holders are waited for until it is found, or a newer one
     */
    CompletableFuture<Optional<BlockState>> newest(int block, Optional<BackupVersion> known);

    /**
     * A block's share of a checkpoint that can be found.
     *
     * @param generation which checkpoint
     */
    record StoredGeneration(CheckpointGeneration generation, BlockState state) {}

    /**
     * Keeps a block's share of a coordinated checkpoint with all of its holders. Completes as {@link #put}.
     *
     * @param slot which of the two that are kept, 0 or 1
     * @param state not read any more once this returns
     */
    CompletableFuture<Void> putGeneration(int slot, int block, Incarnation incarnation, BlockState state);

    /** A block's shares of the coordinated checkpoints that are left, at most two. Never completes exceptionally. */
    CompletableFuture<List<StoredGeneration>> generations(int block);

    /** This worker does not serve the block any more. What it has backed up last stays here, as a copy for others. */
    void forget(int block);

    /** Who keeps copies of a block that this worker serves; none before the first. */
    List<WorkerId> holders(int block);

    /** How many other workers can take a backup at present. */
    int reachableHolders();

    /** How many holders have been lost, most of them dead; grows. */
    long lostHolders();

    /** Whether anyone can take a backup at present. */
    default boolean hasReachableHolder() {
        return reachableHolders() > 0;
    }

    /** Whether the job is about to end, so that a store that is not open may wait with opening. */
    void jobEndsSoon(boolean isSo);

    /** Returns at once: the process ends without leaving the group of holders. */
    @Override
    void close();
}
