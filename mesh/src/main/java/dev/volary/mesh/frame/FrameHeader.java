// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The 64 little-endian bytes before values, on the wire and in checkpoints.
 *
 * <pre>
 *  0 magic u32 "VLRY"   4 version u16       6 kind u16
 *  8 from i32          12 to i32
 * 16 term n i64        24 term owner i64
 * 32 counter i32       36 step i32
 * 40 iteration i64 (of a recorded frame: the snapshot's number)
 * 48 coarse version i32   52 count i32   56 CRC-32C of the values i32   60 problem hash, folded, i32
 * </pre>
 *
 * @param kind what the values are
 * @param from the sending block
 * @param to the reading block
 * @param incarnation of the sending block
 * @param step time step
 * @param iteration iterations completed, or the snapshot's number
 * @param coarseVersion coarse correction contained in the values
 * @param count number of doubles
 * @param crc CRC-32C of the doubles as written, after the content hash if there is one
 * @param problem hash of the problem, folded by {@link #fold}
 */
public record FrameHeader(
        FrameKind kind,
        int from,
        int to,
        Incarnation incarnation,
        int step,
        long iteration,
        int coarseVersion,
        int count,
        int crc,
        int problem) {

    /** Length of a header in bytes. */
    public static final int BYTES = 64;

    /** The letters VLRY, read as a little-endian integer. */
    public static final int MAGIC = 'V' | ('L' << 8) | ('R' << 16) | ('Y' << 24);

    /** Of this layout. */
    public static final int VERSION = 1;

    /** A 64-bit problem hash in 32 bits. */
    public static int fold(long problemHash) {
        return (int) (problemHash ^ (problemHash >>> 32));
    }

    /** Writes {@link #BYTES} bytes at {@code offset}. */
    public void write(byte[] target, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(target, offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(MAGIC).putShort((short) VERSION).putShort((short) kind.code());
        buffer.putInt(from).putInt(to);
        buffer.putLong(incarnation.term().n())
                .putLong(incarnation.term().owner().value());
        buffer.putInt(incarnation.counter()).putInt(step).putLong(iteration);
        buffer.putInt(coarseVersion).putInt(count).putInt(crc).putInt(problem);
    }

    /**
     * Reads {@link #BYTES} bytes at {@code offset}.
     *
     * @throws CorruptFrameException if they are no header of this version
     */
    public static FrameHeader read(byte[] source, int offset) throws CorruptFrameException {
        ByteBuffer buffer = ByteBuffer.wrap(source, offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int magic = buffer.getInt();
        require(magic == MAGIC, "magic", Integer.toHexString(magic), Integer.toHexString(MAGIC));
        int version = buffer.getShort() & 0xffff;
        require(version == VERSION, "version", version, VERSION);
        int code = buffer.getShort() & 0xffff;
        FrameKind kind = FrameKind.of(code).orElseThrow(() -> corrupt("kind", code, "1, 2 or 4"));
        int from = buffer.getInt();
        int to = buffer.getInt();
        long n = buffer.getLong();
        long owner = buffer.getLong();
        require(owner > 0, "term owner", owner, "a positive node id");
        int counter = buffer.getInt();
        int step = buffer.getInt();
        long iteration = buffer.getLong();
        int coarse = buffer.getInt();
        int count = buffer.getInt();
        require(count >= 0, "count", count, "0 or more");
        return new FrameHeader(
                kind,
                from,
                to,
                new Incarnation(new GroupTerm(n, new WorkerId(owner)), counter),
                step,
                iteration,
                coarse,
                count,
                buffer.getInt(),
                buffer.getInt());
    }

    /** Length of the whole frame in bytes. */
    public long frameBytes() {
        return BYTES + (kind == FrameKind.RECORDED ? Long.BYTES : 0) + (long) Double.BYTES * count;
    }

    /**
     * Checks a field.
     *
     * @throws CorruptFrameException if it does not hold
     */
    public static void require(boolean holds, String field, Object value, Object expected)
            throws CorruptFrameException {
        if (!holds) {
            throw corrupt(field, value, expected);
        }
    }

    private static CorruptFrameException corrupt(String field, Object value, Object expected) {
        return new CorruptFrameException("frame dropped: " + field + " is " + value + ", expected " + expected);
    }
}
