// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HaloSlotTest {
    private static final int LENGTH = 64;

    private static boolean push(HaloSlot slot, long number) {
        Arrays.fill(slot.back().values, (double) number);
        slot.back().iteration = number;
        return slot.push();
    }

    private static long pull(HaloSlot slot) {
        return slot.pull() ? slot.front().iteration : -1;
    }

    @Test
    void ofOneTheNewestWins() {
        HaloSlot slot = new HaloSlot(LENGTH, 1);
        assertEquals(-1, pull(slot));
        assertFalse(push(slot, 1));
        assertTrue(push(slot, 2));
        assertTrue(push(slot, 3));
        assertEquals(3, pull(slot));
        assertEquals(-1, pull(slot));
        assertFalse(push(slot, 4));
        assertEquals(4, pull(slot));
    }

    @Test
    void twoWaitInOrderAndAThirdReplacesTheOlder() {
        HaloSlot slot = new HaloSlot(LENGTH, 2);
        assertFalse(push(slot, 1));
        assertFalse(slot.isFull());
        assertFalse(push(slot, 2));
        assertTrue(slot.isFull());
        assertEquals(1, pull(slot));
        assertFalse(push(slot, 3));
        assertTrue(push(slot, 4));
        assertEquals(3, pull(slot));
        assertEquals(4, pull(slot));
        assertEquals(-1, pull(slot));
        assertFalse(slot.fresh());
    }

    /** While the reader works on its buffer, the writer never touches it, and what is read is in order. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void buffersAreNeverShared(int most) throws InterruptedException {
        HaloSlot slot = new HaloSlot(LENGTH, most);
        long last = 200_000;
        Thread writer = new Thread(() -> {
            for (long number = 1; number <= last; number++) {
                push(slot, number);
            }
        });
        writer.start();
        long before = 0;
        while (before < last) {
            long number = pull(slot);
            if (number < 0) {
                Thread.onSpinWait();
                continue;
            }
            assertTrue(number > before, () -> number + " after another");
            before = number;
            for (double value : slot.front().values) {
                assertEquals((double) number, value);
            }
        }
        writer.join();
        assertNotSame(slot.back(), slot.front());
    }
}
