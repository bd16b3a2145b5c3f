// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.worker.compute.BlockState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockStateCodecTest {
    private static final BlockState STATE = new BlockState(
            42, new double[] {1.5, -0.0, Double.MIN_VALUE}, List.of(new double[] {7}, new double[0]), new byte[] {1, 2
            });

    @Test
    void aStateIsUnchangedByABackup() throws IOException {
        BlockState read = BlockStateCodec.read(BlockStateCodec.write(STATE).asReadOnlyBuffer());
        assertEquals(42, read.iteration());
        assertArrayEquals(STATE.core(), read.core());
        assertEquals(2, read.halos().size());
        assertArrayEquals(new double[] {7}, read.halos().getFirst());
        assertArrayEquals(new double[0], read.halos().getLast());
        assertArrayEquals(new byte[] {1, 2}, read.extra());
    }

    @Test
    void aTruncatedValueOrImpossibleLengthsAreRefused() {
        ByteBuffer whole = BlockStateCodec.write(STATE);
        for (int bytes = 0; bytes < whole.remaining(); bytes++) {
            ByteBuffer cut = whole.slice(0, bytes);
            assertThrows(IOException.class, () -> BlockStateCodec.read(cut));
        }
        ByteBuffer absurd =
                ByteBuffer.wrap(BlockStateCodec.write(STATE).array()).putInt(8, -1);
        assertThrows(IOException.class, () -> BlockStateCodec.read(absurd));
    }
}
