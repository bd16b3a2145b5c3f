// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BlockVersion;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What one member keeps for others: at most one value of each kind for a block, the newest. Safe for use by several threads.
 */
public final class HeldReplicas {
    private final ConcurrentMap<ReplicaKey, byte[]> frames;

    /**
     * @param frames where the copies are kept; {@code compute} must be atomic
     */
    public HeldReplicas(ConcurrentMap<ReplicaKey, byte[]> frames) {
        this.frames = frames;
    }

    /** Answers a request. */
    public HolderReply answer(HolderRequest request) {
        return switch (request) {
            case HolderRequest.Store store -> store(store.frame());
            case HolderRequest.Look(ReplicaKey key) ->
                version(frames.get(key)).<HolderReply>map(HolderReply.Has::new).orElseGet(HolderReply.Nothing::new);
            case HolderRequest.Fetch(ReplicaKey key) -> {
                byte[] frame = frames.get(key);
                yield frame == null ? new HolderReply.Nothing() : new HolderReply.Frame(frame);
            }
            case HolderRequest.Drop(ReplicaKey key, BlockVersion below) -> {
                frames.computeIfPresent(
                        key,
                        (same, frame) -> version(frame)
                                        .filter(v -> v.compareTo(below) > 0)
                                        .isPresent()
                                ? frame
                                : null);
                yield new HolderReply.Done();
            }
        };
    }

    /** Keeps a frame if it is sound and nothing newer is there. */
    public HolderReply store(byte[] frame) {
        Optional<ReplicaHeader> header = ReplicaHeader.read(frame);
        if (header.isEmpty() || header.get().value(frame).isEmpty()) {
            return new HolderReply.Damaged();
        }
        BlockVersion version = header.get().version();
        byte[] kept = frames.compute(
                header.get().key(),
                (key, old) -> old != null
                                && version(old)
                                        .filter(v -> v.compareTo(version) > 0)
                                        .isPresent()
                        ? old
                        : frame);
        return version(kept)
                .filter(v -> v.compareTo(version) > 0)
                .<HolderReply>map(HolderReply.Has::new)
                .orElseGet(HolderReply.Done::new);
    }

    private static Optional<BlockVersion> version(byte @Nullable [] frame) {
        return frame == null ? Optional.empty() : ReplicaHeader.read(frame).map(ReplicaHeader::version);
    }
}
