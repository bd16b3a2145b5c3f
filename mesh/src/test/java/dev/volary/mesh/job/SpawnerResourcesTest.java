// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpawnerResourcesTest {
    private static final long HEAP = ContainerHeap.heapBytes(ContainerHeap.DEFAULT_LIMIT_BYTES);
    private static final long TWO_GIB_OF_UNKNOWNS = 1L << 28;

    private static SpawnerResources of(long unknowns, int copies, int daemons, int spawners) {
        return new SpawnerResources(unknowns, true, copies, 1, daemons, spawners);
    }

    @Test
    void aSpawnerKeepsBackupsThatFit() {
        SpawnerResources small = of(1 << 20, 2, 4, 2);
        assertTrue(small.keepsBackups(HEAP));
        assertTrue(small.leastHeapBytes() <= HEAP);
    }

    @Test
    void backupsThatDoNotFitAreLeftToTheDaemonsOfTwoGroups() {
        SpawnerResources large = of(TWO_GIB_OF_UNKNOWNS, 2, 4, 2);
        assertTrue(large.heapBytes() > HEAP);
        assertFalse(large.keepsBackups(HEAP));
        assertTrue(large.leastHeapBytes() <= HEAP);
        assertTrue(large.keepsBackups(large.heapBytes()), "a larger heap keeps them");
    }

    @Test
    void tooFewDaemonsInTwoGroupsNeedTheSpawners() {
        for (SpawnerResources large : new SpawnerResources[] {
            of(TWO_GIB_OF_UNKNOWNS, 2, 2, 1), of(TWO_GIB_OF_UNKNOWNS, 2, 4, 4), of(TWO_GIB_OF_UNKNOWNS, 4, 4, 2)
        }) {
            assertTrue(large.keepsBackups(HEAP), large.toString());
            assertEquals(large.heapBytes(), large.leastHeapBytes(), large.toString());
        }
    }

    @Test
    void aJobWithoutBackupsKeepsNone() {
        assertFalse(of(1 << 20, 0, 4, 2).keepsBackups(HEAP));
    }
}
