// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DaemonHeapTest {
    private static final long MEBI = 1 << 20;

    @Test
    void blocksOfASmallJobMayFillHalfOfTheHeap() {
        assertEquals(144 * MEBI, DaemonHeap.of(new long[] {1000, 1000}, 2, 1, 2).blockBytes(288 * MEBI));
    }

    /** Four blocks of 4 million values each, 30.5 MiB: with a heap of 288 MiB, daemons ran out of memory. */
    @Test
    void copiesLeaveLargeBlocksLess() {
        DaemonHeap heap = DaemonHeap.of(new long[] {4_000_000, 4_000_000, 4_000_000, 4_000_000}, 2, 1, 4);
        assertEquals(340, heap.besideBlocks() / MEBI);
        assertTrue(heap.blockBytes(288 * MEBI) < 0);
        assertEquals(110, heap.blockBytes(450 * MEBI) / MEBI + 1);
    }

    @Test
    void withoutBackupsOnlySnapshotsCopy() {
        assertEquals(121, DaemonHeap.of(new long[] {4_000_000}, 0, 1, 1).besideBlocks() / MEBI);
    }

    /** Eight blocks a daemon, 32 MiB each: two records, a copy of its own and one for another, and two blocks in transit. */
    @Test
    void aDaemonSendsBackupsOfTwoBlocksAtATime() {
        DaemonHeap heap = DaemonHeap.of(eightOfEachDaemon(), 1, 1, 8);
        assertEquals(48 + 1.2 * 32 * (8 * (2 + 1 + 1) + 2 * 3), heap.besideBlocks() / (double) MEBI, 1);
    }

    @Test
    void inTheSynchronousSchemeAllBlocksAreSentAtOnceAndTwoGenerationsKept() {
        DaemonHeap heap = DaemonHeap.of(eightOfEachDaemon(), 1, 2, 8);
        assertEquals(48 + 1.2 * 32 * 8 * (2 + 2 * (1 + 1) + 3), heap.besideBlocks() / (double) MEBI, 1);
    }

    private static long[] eightOfEachDaemon() {
        long[] states = new long[64];
        Arrays.fill(states, 4 << 20);
        return states;
    }
}
