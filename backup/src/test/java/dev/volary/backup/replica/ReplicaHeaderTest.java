// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class ReplicaHeaderTest {
    private static byte[] frame(int block, long n, int counter, long iteration, byte[] value) {
        BlockVersion version =
                new BlockVersion(new Incarnation(new GroupTerm(n, new WorkerId(7)), counter), 3, iteration);
        ByteBuffer bytes = ByteBuffer.wrap(value);
        return new HolderRequest.Store(
                        ReplicaHeader.of(new ReplicaKey(ReplicaKind.DATA, block), 1, version, bytes), bytes)
                .frame();
    }

    @Property
    void whatWasWrittenIsRead(
            @ForAll @IntRange int block,
            @ForAll long n,
            @ForAll int counter,
            @ForAll @LongRange long iteration,
            @ForAll byte[] value) {
        byte[] frame = frame(block, n, counter, iteration, value);
        ReplicaHeader header = ReplicaHeader.read(frame).orElseThrow();
        assertEquals(new ReplicaKey(ReplicaKind.DATA, block), header.key());
        assertEquals(
                new BlockVersion(new Incarnation(new GroupTerm(n, new WorkerId(7)), counter), 3, iteration),
                header.version());
        assertEquals(Optional.of(ByteBuffer.wrap(value)), header.value(frame));
    }

    @Property
    void everyFlippedBitIsNoticed(
            @ForAll @Size(max = 100) byte[] value, @ForAll @IntRange(min = 0, max = 8 * 164 - 1) int any) {
        byte[] frame = frame(5, 1, 1, 9, value);
        int bit = any % (8 * frame.length);
        frame[bit / 8] ^= (byte) (1 << (bit % 8));
        assertTrue(ReplicaHeader.read(frame).flatMap(h -> h.value(frame)).isEmpty(), "bit " + bit);
    }

    @Property(tries = 200)
    void everyCutIsNoticed(@ForAll @Size(min = 1, max = 50) byte[] value, @ForAll @IntRange(max = 113) int any) {
        byte[] frame = frame(5, 1, 1, 9, value);
        byte[] cut = Arrays.copyOf(frame, any % frame.length);
        assertTrue(ReplicaHeader.read(cut).flatMap(h -> h.value(cut)).isEmpty());
    }
}
