// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;

/**
 * Requests and replies as bytes: one byte that names the form, then its fields, big-endian. A frame is its own form, so that it
 * is kept as it came: as a request it is to be stored, as a reply it is what was asked for.
 */
public final class ReplicaCodec {
    private static final byte FRAME = ReplicaHeader.FIRST_BYTE;
    private static final byte LOOK = 2;
    private static final byte FETCH = 3;
    private static final byte DROP = 4;
    private static final byte DONE = 11;
    private static final byte NOTHING = 12;
    private static final byte DAMAGED = 13;
    private static final byte HAS = 14;

    private static final int KEY_BYTES = 1 + Integer.BYTES;
    private static final int VERSION_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

    private ReplicaCodec() {}

    /** A request as bytes. */
    public static byte[] of(HolderRequest request) {
        return switch (request) {
            case HolderRequest.Store store -> store.frame();
            case HolderRequest.Look(ReplicaKey key) ->
                put(form(LOOK, KEY_BYTES), key).array();
            case HolderRequest.Fetch(ReplicaKey key) ->
                put(form(FETCH, KEY_BYTES), key).array();
            case HolderRequest.Drop(ReplicaKey key, BlockVersion below) ->
                put(put(form(DROP, KEY_BYTES + VERSION_BYTES), key), below).array();
        };
    }

    /** A request as bytes in parts, one after the other; a value is not copied. */
    public static ByteBuffer[] parts(HolderRequest request) {
        return request instanceof HolderRequest.Store store
                ? store.parts()
                : new ByteBuffer[] {ByteBuffer.wrap(of(request))};
    }

    /**
     * Lets a holder answer a request, and writes its reply. A frame is kept without being copied.
     *
     * @throws IllegalArgumentException if the bytes are no request
     */
    public static byte[] answer(byte[] request, HeldReplicas held) {
        ByteBuffer bytes = ByteBuffer.wrap(request);
        byte form = bytes.get();
        return of(
                switch (form) {
                    case FRAME -> held.store(request);
                    case LOOK -> held.answer(new HolderRequest.Look(key(bytes)));
                    case FETCH -> held.answer(new HolderRequest.Fetch(key(bytes)));
                    case DROP -> held.answer(new HolderRequest.Drop(key(bytes), version(bytes)));
                    default -> throw unknown(form);
                });
    }

    /** Reads a reply. */
    public static HolderReply reply(byte[] reply) {
        ByteBuffer bytes = ByteBuffer.wrap(reply);
        byte form = bytes.get();
        return switch (form) {
            case DONE -> new HolderReply.Done();
            case NOTHING -> new HolderReply.Nothing();
            case DAMAGED -> new HolderReply.Damaged();
            case HAS -> new HolderReply.Has(version(bytes));
            case FRAME -> new HolderReply.Frame(reply);
            default -> new HolderReply.Damaged(); // a kept frame is sent unread
        };
    }

    private static byte[] of(HolderReply reply) {
        return switch (reply) {
            case HolderReply.Done() -> form(DONE, 0).array();
            case HolderReply.Nothing() -> form(NOTHING, 0).array();
            case HolderReply.Damaged() -> form(DAMAGED, 0).array();
            case HolderReply.Has(BlockVersion version) ->
                put(form(HAS, VERSION_BYTES), version).array();
            case HolderReply.Frame(byte[] frame) -> frame;
        };
    }

    private static ByteBuffer form(byte form, int length) {
        return ByteBuffer.allocate(1 + length).put(form);
    }

    private static ByteBuffer put(ByteBuffer bytes, ReplicaKey key) {
        return bytes.put((byte) key.kind().code()).putInt(key.block());
    }

    private static ReplicaKey key(ByteBuffer bytes) {
        return new ReplicaKey(ReplicaKind.of(bytes.get()), bytes.getInt());
    }

    private static ByteBuffer put(ByteBuffer bytes, BlockVersion version) {
        Incarnation incarnation = version.incarnation();
        return bytes.putLong(incarnation.term().n())
                .putLong(incarnation.term().owner().value())
                .putInt(incarnation.counter())
                .putInt(version.step())
                .putLong(version.iteration());
    }

    private static BlockVersion version(ByteBuffer bytes) {
        GroupTerm term = new GroupTerm(bytes.getLong(), new WorkerId(bytes.getLong()));
        return new BlockVersion(new Incarnation(term, bytes.getInt()), bytes.getInt(), bytes.getLong());
    }

    private static IllegalArgumentException unknown(byte form) {
        return new IllegalArgumentException("form " + form + " is unknown; use matching versions in one group");
    }
}
