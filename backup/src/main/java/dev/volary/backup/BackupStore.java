// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps copies of blocks in other processes than the one that computes them. Contract: a restore gets the newest copy that is
 * available, possibly a stale one, never a corrupt one.
 *
 * <p>A block has up to k slots, each in another failure domain than its owner. Data goes to one slot after the other, so that
 * copies of different age exist. The newest (incarnation, step, iteration) wins: an older write never replaces a newer copy. A copy that is lost with its holder is written again from the newest value.
 *
 * <p>No method blocks; all may be called by any thread. Futures complete on the store's own thread, which must not be held up.
 * A value that is handed over must not change any more; while one is being written only the newest waits behind it. A store
 * that has not joined its group keeps the newest value of each block, and writes it when it has.
 */
public interface BackupStore extends AutoCloseable {

    /** Writes data to the next slot. Completes when that slot has it. */
    CompletableFuture<PutOutcome> put(int block, BlockVersion version, ByteBuffer value);

    /** Writes data to all slots, before a claim about it or before leaving. Completes when every live holder has it. */
    CompletableFuture<PutOutcome> putEverywhere(int block, BlockVersion version, ByteBuffer value);

    /**
     * The newest data of a block that can be reached and is sound; corrupt copies are skipped. Live members that are slow
     * to answer, or have not joined yet, are waited for, boundedly.
     *
     * @param known a copy that is known to exist: if it is found, or a newer one, the search hardly waits for other members
     */
    CompletableFuture<Optional<BlockBackup>> newest(int block, Optional<BackupVersion> known);

    /** As above, if the version of the newest copy is unknown. */
    default CompletableFuture<Optional<BlockBackup>> newest(int block) {
        return newest(block, Optional.empty());
    }

    /**
     * Writes a block's share of a checkpoint that all blocks take together, to all slots. Two such checkpoints are kept side
     * by side. Completes when every live holder has it.
     *
     * @param generation which of the two, 0 or 1: the older one goes
     */
    CompletableFuture<PutOutcome> putGeneration(int block, int generation, BlockVersion version, ByteBuffer value);

    /** A block's share of one of the two checkpoints, as {@link #newest}. */
    CompletableFuture<Optional<BlockBackup>> generation(int block, int generation);

    /**
     * No longer writes copies of a block: it has moved, or this owner was fenced. Copies stay with their holders, and the newest value
     * stays here, as one more copy: the new owner and all holders may die before there is another. It is dropped once the new owner
     * has filled its slots.
     */
    void forget(int block);

    /**
     * Who is alive in the group, this member among them or not. Members that are missing are no longer asked or waited for.
     * The first call makes the store join.
     */
    void members(List<BackupHolder> live);

    /** How many copies each block has at present, and should have. */
    Copies copies();

    /** Who keeps copies of a block that this owner writes: its slots as they are now; none before the first write. */
    List<WorkerId> holders(int block);

    /** Members of the group, this one not counted, that copies can be written to at present. */
    List<WorkerId> reachable();

    /** Leaves the group. Returns within about a second; writes that are still open complete exceptionally. */
    @Override
    void close();
}
