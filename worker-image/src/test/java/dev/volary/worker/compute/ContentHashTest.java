// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContentHashTest {

    @Test
    void theHashIsTheSameForTheSameBits() {
        double[] values = random(1, 1001);
        assertEquals(ContentHash.of(values, 1001), ContentHash.of(values.clone(), 1001));
    }

    @Test
    void theHashReadsOnlyTheGivenCount() {
        double[] values = random(2, 64);
        long hash = ContentHash.of(values, 50);
        values[50]++;
        assertEquals(hash, ContentHash.of(values, 50));
        assertNotEquals(hash, ContentHash.of(values, 51));
    }

    @Test
    void everySingleBitFlipChangesTheHash() {
        double[] values = random(3, 37);
        Set<Long> hashes = new HashSet<>();
        hashes.add(ContentHash.of(values, values.length));
        for (int i = 0; i < values.length; i++) {
            for (int bit = 0; bit < 64; bit++) {
                double kept = values[i];
                values[i] = Double.longBitsToDouble(Double.doubleToRawLongBits(kept) ^ (1L << bit));
                hashes.add(ContentHash.of(values, values.length));
                values[i] = kept;
            }
        }
        assertEquals(1 + 37 * 64, hashes.size());
    }

    @Test
    void swappedValuesAndSignsOfZeroDiffer() {
        assertNotEquals(
                ContentHash.of(new double[] {1, 2, 3, 4, 5}, 5), ContentHash.of(new double[] {5, 2, 3, 4, 1}, 5));
        assertNotEquals(ContentHash.of(new double[] {0.0}, 1), ContentHash.of(new double[] {-0.0}, 1));
        assertNotEquals(ContentHash.of(new double[] {0, 0}, 1), ContentHash.of(new double[] {0, 0}, 2));
    }

    private static double[] random(long seed, int count) {
        return new Random(seed).doubles(count).toArray();
    }
}
