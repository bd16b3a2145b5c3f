// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The 64 little-endian bytes before a value, as before the halos of the mesh, with a checksum of its own where a halo has
 * its coarse version.
 *
 * <pre>
 *  0 magic u32 "VLRY"   4 version u16       6 kind u16
 *  8 block i32         12 slot i32
 * 16 term n i64        24 term owner i64
 * 32 counter i32       36 step i32
 * 40 iteration i64
 * 48 CRC-32C of the header, this field taken as 0
 * 52 bytes of the value i32   56 CRC-32C of the value   60 zero
 * </pre>
 *
 * @param key block and kind
 * @param slot 0…k−1
 * @param version of the value
 * @param length of the value in bytes
 * @param crc CRC-32C of the value
 */
public record ReplicaHeader(ReplicaKey key, int slot, BlockVersion version, int length, int crc) {

    /** Length of a header in bytes. */
    public static final int BYTES = 64;

    /** What each frame begins with. */
    public static final byte FIRST_BYTE = 'V';

    private static final int MAGIC = FIRST_BYTE | ('L' << 8) | ('R' << 16) | ('Y' << 24);
    private static final short VERSION = 1;
    private static final int OWN_CHECKSUM = 48;

    /** The header of a value; reads all of it. */
    public static ReplicaHeader of(ReplicaKey key, int slot, BlockVersion version, ByteBuffer value) {
        return new ReplicaHeader(key, slot, version, value.remaining(), checksum(value));
    }

    /** The same for another slot. */
    ReplicaHeader inSlot(int other) {
        return new ReplicaHeader(key, other, version, length, crc);
    }

    /** Writes {@link #BYTES} bytes at the buffer's position. */
    public void write(ByteBuffer target) {
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        GroupTerm term = version.incarnation().term();
        header.putInt(MAGIC).putShort(VERSION).putShort((short) key.kind().code());
        header.putInt(key.block()).putInt(slot);
        header.putLong(term.n()).putLong(term.owner().value());
        header.putInt(version.incarnation().counter()).putInt(version.step()).putLong(version.iteration());
        header.putInt(0).putInt(length).putInt(crc).putInt(0);
        header.putInt(OWN_CHECKSUM, checksum(header.flip()));
        target.put(header);
    }

    /** The header at the start of a frame; empty if it is none, or damaged. */
    public static Optional<ReplicaHeader> read(byte[] frame) {
        if (frame.length < BYTES) {
            return Optional.empty();
        }
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(frame, 0, BYTES).flip();
        int own = header.getInt(OWN_CHECKSUM);
        header.putInt(OWN_CHECKSUM, 0);
        int kind = header.getShort(6) & 0xffff;
        long owner = header.getLong(24);
        if (own != checksum(header)
                || header.getInt(0) != MAGIC
                || header.getShort(4) != VERSION
                || !ReplicaKind.isKnown(kind)
                || owner <= 0) {
            return Optional.empty();
        }
        Incarnation incarnation =
                new Incarnation(new GroupTerm(header.getLong(16), new WorkerId(owner)), header.getInt(32));
        return Optional.of(new ReplicaHeader(
                new ReplicaKey(ReplicaKind.of(kind), header.getInt(8)),
                header.getInt(12),
                new BlockVersion(incarnation, header.getInt(36), header.getLong(40)),
                header.getInt(52),
                header.getInt(56)));
    }

    /** The value after this header; empty if it is cut or damaged. */
    public Optional<ByteBuffer> value(byte[] frame) {
        if (frame.length != BYTES + (long) length) {
            return Optional.empty();
        }
        ByteBuffer value = ByteBuffer.wrap(frame, BYTES, length).slice().asReadOnlyBuffer();
        return checksum(value) == crc ? Optional.of(value) : Optional.empty();
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return (int) checksum.getValue();
    }
}
