// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.backup.PutOutcome;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one block for one kind of copy, at its owner: says what is to be sent where. Only the newest value is kept, so
 * nothing queues; it is also what a lost copy is written again from. No I/O; confined to one thread.
 */
final class ReplicaSlots {

    /**
     * A value that was handed over.
     *
     * @param header for slot 0
     * @param everywhere whether all slots must have it
     */
    record Write(ReplicaHeader header, ByteBuffer value, boolean everywhere, CompletableFuture<PutOutcome> done) {
        BlockVersion version() {
            return header.version();
        }
    }

    /** What to send to whom. */
    record Send(BackupHolder holder, HolderRequest.Store request) {}

    private static final class Slot {
        final BackupHolder holder;

        @Nullable BlockVersion acknowledged;

        boolean sending;
        boolean paused;

        Slot(BackupHolder holder) {
            this.holder = holder;
        }

        boolean canSend() {
            return !sending && !paused;
        }
    }

    private List<Slot> slots = List.of();
    private @Nullable Write newest;
    private boolean open;
    private int next;
    private boolean hasStrayReplicas = true; // others than the slots may hold copies
    private boolean isAlone;

    /** Takes a value. */
    void offer(Write write) {
        Write known = newest;
        if (known != null && known.version().compareTo(write.version()) > 0) {
            write.done().complete(new PutOutcome.Outdated(known.version()));
            return;
        }
        if (known != null && open) {
            known.done().complete(new PutOutcome.Superseded());
        }
        newest = write;
        open = true;
        completeIfStored();
    }

    /**
     * The slots are with these holders now.
     *
     * @param isAlone whether no other member is alive, so that a write has nowhere to go
     */
    void place(List<BackupHolder> holders, boolean isAlone) {
        this.isAlone = isAlone;
        List<Slot> placed = new ArrayList<>();
        for (BackupHolder holder : holders) {
            Slot same = slot(holder.id());
            hasStrayReplicas |= same == null;
            placed.add(same == null ? new Slot(holder) : same);
        }
        slots = List.copyOf(placed);
        completeIfStored();
    }

    /** Holders of the slots, in order. */
    List<BackupHolder> holders() {
        return slots.stream().map(s -> s.holder).toList();
    }

    /** What to send now. Each must be answered by {@link #stored}, {@link #refused} or {@link #failed}. */
    List<Send> dueSends() {
        Write write = newest;
        List<Send> dueSends = new ArrayList<>();
        if (write == null) {
            return dueSends;
        }
        if (open && !write.everywhere()) {
            if (slots.stream().noneMatch(s -> s.sending)) { // one in flight
                for (int i = 0; i < slots.size() && dueSends.isEmpty(); i++) {
                    int index = (next + i) % slots.size();
                    if (slots.get(index).canSend()) {
                        next = index + 1;
                        dueSends.add(send(write, index));
                    }
                }
            }
            return dueSends;
        }
        for (int index = 0; index < slots.size(); index++) {
            Slot slot = slots.get(index);
            boolean wants = open ? !write.version().equals(slot.acknowledged) : slot.acknowledged == null;
            if (wants && slot.canSend()) {
                dueSends.add(send(write, index));
            }
        }
        return dueSends;
    }

    private Send send(Write write, int index) {
        slots.get(index).sending = true;
        return new Send(
                slots.get(index).holder, new HolderRequest.Store(write.header().inSlot(index), write.value()));
    }

    /** A holder has a version. */
    void stored(WorkerId holder, BlockVersion version) {
        Slot slot = slot(holder);
        if (slot != null) {
            slot.sending = false;
            slot.acknowledged = version;
            completeIfStored();
        }
    }

    /** A holder has a newer version than what it was sent. */
    void refused(WorkerId holder, BlockVersion newer) {
        Write write = newest;
        if (write != null && newer.compareTo(write.version()) > 0) {
            newest = null; // this owner has been replaced: nothing is written again
            if (open) {
                open = false;
                write.done().complete(new PutOutcome.Outdated(newer));
            }
        }
        stored(holder, newer);
    }

    /** A holder did not answer; it gets no request until {@link #retry}. */
    void failed(WorkerId holder) {
        Slot slot = slot(holder);
        if (slot != null) {
            slot.sending = false;
            slot.paused = true;
        }
    }

    /** A holder may be tried again. */
    void retry(WorkerId holder) {
        Slot slot = slot(holder);
        if (slot != null) {
            slot.paused = false;
        }
    }

    /** Once after each change of holders, when all slots are filled: the version up to which others may drop their copies. */
    Optional<BlockVersion> strayReplicasBelow() {
        if (!hasStrayReplicas
                || open
                || newest == null
                || slots.isEmpty()
                || slots.stream().anyMatch(s -> s.acknowledged == null)) {
            return Optional.empty();
        }
        hasStrayReplicas = false;
        return Optional.of(newest.version());
    }

    /** The newest value that was handed over. */
    Optional<Write> newest() {
        return Optional.ofNullable(newest);
    }

    /** Nothing more will be written. */
    void close(RuntimeException reason) {
        Write write = newest;
        if (open && write != null) {
            open = false;
            write.done().completeExceptionally(reason);
        }
        newest = null;
    }

    private void completeIfStored() {
        Write write = newest;
        if (!open || write == null) {
            return;
        }
        long have = slots.stream()
                .filter(s -> write.version().equals(s.acknowledged))
                .count();
        if (slots.isEmpty() ? isAlone : have == slots.size() || (have > 0 && !write.everywhere())) {
            open = false;
            write.done().complete(new PutOutcome.Stored(slots.size()));
        }
    }

    private @Nullable Slot slot(WorkerId holder) {
        for (Slot slot : slots) {
            if (slot.holder.id().equals(holder)) {
                return slot;
            }
        }
        return null;
    }
}
