package dev.volary.worker;

import dev.volary.protocol.Incarnation;
import dev.volary.worker.compute.BlockState;
import java.io.IOException;
import java.util.Optional;

/** Where blocks are backed up (design §7): newest available, possibly stale, never corrupt. May block; used by one thread. */
interface BackupStore {

    /** Keeps nothing: a block that lost its daemon begins again from its neighbours' halos. */
    BackupStore NONE = new BackupStore() {
        @Override
        public void put(int block, int slot, Incarnation incarnation, BlockState state) throws IOException {
            throw new IOException("block " + block + " cannot be backed up: this job keeps no backups");
        }

        @Override
        public Optional<BlockState> newest(int block) {
            return Optional.empty();
        }
    };

    /**
     * Keeps a block's state in a slot, unless a newer incarnation is kept already.
     *
     * @throws IOException if no holder has it now
     */
    void put(int block, int slot, Incarnation incarnation, BlockState state) throws IOException;

    /**
     * The newest state of a block, by incarnation and then by iteration, that any holder still has.
     *
     * @throws IOException if the holders cannot be asked
     */
    Optional<BlockState> newest(int block) throws IOException;
}
