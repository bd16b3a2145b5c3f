package dev.volary.checkpoint.replica;

import dev.volary.protocol.BlockVersion;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What one member keeps for others: at most one value of each kind for a block, the newest. Safe for use by several threads.
 */
public final class HeldCopies {
    private final ConcurrentMap<CopyKey, byte[]> frames;

    /**
     * @param frames where the copies are kept; {@code compute} must be atomic
     */
    public HeldCopies(ConcurrentMap<CopyKey, byte[]> frames) {
        this.frames = frames;
    }

    /** Answers a request. */
    public Reply answer(Request request) {
        return switch (request) {
            case Request.Store store -> store(store.frame());
            case Request.Look(CopyKey key) ->
                version(frames.get(key)).<Reply>map(Reply.Has::new).orElseGet(Reply.Nothing::new);
            case Request.Fetch(CopyKey key) -> {
                byte[] frame = frames.get(key);
                yield frame == null ? new Reply.Nothing() : new Reply.Frame(frame);
            }
            case Request.Drop(CopyKey key, BlockVersion below) -> {
                frames.computeIfPresent(
                        key,
                        (same, frame) -> version(frame)
                                        .filter(v -> v.compareTo(below) > 0)
                                        .isPresent()
                                ? frame
                                : null);
                yield new Reply.Done();
            }
        };
    }

    /** Keeps a frame if it is sound and nothing newer is there. */
    public Reply store(byte[] frame) {
        Optional<CopyHeader> header = CopyHeader.read(frame);
        if (header.isEmpty() || header.get().value(frame).isEmpty()) {
            return new Reply.Damaged();
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
                .<Reply>map(Reply.Has::new)
                .orElseGet(Reply.Done::new);
    }

    private static Optional<BlockVersion> version(byte @Nullable [] frame) {
        return frame == null ? Optional.empty() : CopyHeader.read(frame).map(CopyHeader::version);
    }
}
