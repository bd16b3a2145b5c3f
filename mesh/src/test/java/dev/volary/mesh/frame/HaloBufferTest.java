// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HaloBufferTest {
    private static final Incarnation INCARNATION =
            new Incarnation(new GroupTerm(0x0102030405060708L, new WorkerId(9)), 3);

    private static FrameHeader header(FrameKind kind, int count) {
        return new FrameHeader(kind, 1, 2, INCARNATION, 4, 0x1122334455667788L, 5, count, 0, 0x0a0b0c0d);
    }

    private static byte[] frame(FrameKind kind, double[] values) {
        FrameWriter writer = new FrameWriter();
        writer.layOut(header(kind, values.length), 77, values);
        return Arrays.copyOf(writer.bytes(), writer.length());
    }

    /** Laid out by hand from the table in {@link FrameHeader}. */
    @Test
    void aFrameHasExactlyTheseBytes() {
        String expected = "564c5259" // VLRY
                + "0100" + "0100" // version 1, halo
                + "01000000" + "02000000"
                + "0807060504030201" + "0900000000000000"
                + "03000000" + "04000000" + "8877665544332211"
                + "05000000" + "01000000" + crcOfEightZeros() + "0d0c0b0a"
                + "0000000000000000";
        assertEquals(expected, HexFormat.of().formatHex(frame(FrameKind.HALO, new double[] {0})));
    }

    /** Bit by bit with the reversed Castagnoli polynomial 0x82F63B78, independent of the JDK's class. */
    private static String crcOfEightZeros() {
        int crc = -1;
        for (int bit = 0; bit < 64; bit++) {
            crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0x82F63B78 : crc >>> 1;
        }
        return HexFormat.of().toHexDigits(Integer.reverseBytes(~crc));
    }

    @Property(tries = 200)
    void aHeaderIsTheSameAfterTheWire(@ForAll long seed) throws CorruptFrameException {
        Random r = new Random(seed);
        FrameHeader header = new FrameHeader(
                r.nextBoolean() ? FrameKind.HALO : FrameKind.RECORDED,
                r.nextInt(),
                r.nextInt(),
                new Incarnation(new GroupTerm(r.nextLong(), new WorkerId(1 + r.nextLong(Long.MAX_VALUE))), r.nextInt()),
                r.nextInt(),
                r.nextLong(),
                r.nextInt(),
                r.nextInt() & Integer.MAX_VALUE,
                r.nextInt(),
                r.nextInt());
        byte[] bytes = new byte[70];
        header.write(bytes, 3);
        assertEquals(header, FrameHeader.read(bytes, 3));
    }

    @Property(tries = 200)
    void valuesAreTheSameHoweverTheNetworkCutsThem(
            @ForAll long seed, @ForAll @IntRange(max = 3000) int count, @ForAll @IntRange(min = 1, max = 5000) int cut)
            throws Exception {
        double[] values = new Random(seed).doubles(count).toArray();
        byte[] frame = frame(FrameKind.RECORDED, values);
        for (var in : new java.io.InputStream[] {new ByteArrayInputStream(frame), new CutStream(frame, cut)}) {
            FrameReader reader = new FrameReader();
            FrameHeader header = reader.header(in);
            assertEquals(count, header.count());
            assertEquals(77, reader.hash(in));
            double[] read = new double[count];
            reader.values(in, header, read);
            assertArrayEquals(values, read);
        }
    }

    @Property(tries = 200)
    void aFlippedBitIsFoundOrChangesOnlyTheKey(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        double[] values = random.doubles(20).toArray();
        byte[] frame = frame(FrameKind.HALO, values);
        int bit = random.nextInt(8 * frame.length);
        frame[bit / 8] ^= (byte) (1 << (bit % 8));
        FrameReader reader = new FrameReader();
        double[] read = new double[values.length];
        try {
            var in = new ByteArrayInputStream(frame);
            FrameHeader header = reader.header(in);
            reader.values(in, header, read);
            assertArrayEquals(values, read);
            int at = bit / 8;
            assertTrue((at >= 8 && at < 52) || (at >= 60 && at < 64), "byte " + at);
        } catch (CorruptFrameException e) {
            assertTrue(String.valueOf(e.getMessage()).startsWith("frame dropped: "), e.toString());
        }
    }

    @Test
    void theErrorForACorruptFrameNamesFieldValueAndExpectation() {
        byte[] frame = frame(FrameKind.HALO, new double[] {1});
        frame[4] = 9;
        assertEquals("frame dropped: version is 9, expected 1", failure(frame));
        frame[4] = 1;
        frame[0] = 0;
        assertEquals("frame dropped: magic is 59524c00, expected 59524c56", failure(frame));
        frame[0] = 'V';
        assertTrue(failure(Arrays.copyOf(frame, 70)).contains("count is 1"), failure(Arrays.copyOf(frame, 70)));
        assertTrue(failure(Arrays.copyOf(frame, 60)).contains("ends inside its header"));
    }

    private static String failure(byte[] frame) {
        return String.valueOf(assertThrows(
                        CorruptFrameException.class, () -> new FrameReader().header(new ByteArrayInputStream(frame)))
                .getMessage());
    }
}
