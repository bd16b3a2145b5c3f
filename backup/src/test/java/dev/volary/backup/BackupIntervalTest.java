// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BackupIntervalTest {

    /**
     * docs/explanation/backups-and-checkpoints.md, "how often": C = 2 ms, Λ = 68 crashes in 744 s, φ = 0.02 for 252 blocks give
     * about 1.5 s.
     */
    @Test
    void theReferenceExampleIsReproduced() {
        assertEquals(0.02, BackupInterval.delayingShare(252));
        assertEquals(1.5, BackupInterval.seconds(0.002, 68 / 744.0, 0.02), 0.05);
    }

    /** The same example with a hundred times the failures: 12.9 MB at 5 % of 1 Gb/s is 2.1 s, more than the best interval. */
    @Test
    void backupsTakeATwentiethOfTheNetworkAtMost() {
        BackupInterval interval = new BackupInterval(252, 6800, 252 * 744.0, 0.002, 12_900_000, 0.01);
        assertEquals(2.064, interval.seconds(), 1e-9);
        assertEquals(206, interval.iterations());
    }

    /** A block of 0.5 MB costs all workers 6 ms: 6 s at a thousandth of a processor; one of 100 MB is not left alone so long. */
    @Test
    void whileNothingFailsBackupsTakeAThousandthOfAProcessor() {
        assertEquals(6, new BackupInterval(4, 0, 0, 1e-5, 500_000, 0.01).seconds(), 1e-9);
        assertEquals(20, new BackupInterval(4, 0, 0, 1e-5, 10_000_000, 0.01).seconds(), 1e-9);
    }

    /** Two failures in 100 s of four nodes: √(2·0.006/(4·2/400·0.5)) = 1.1 s, though a node-day is assumed besides. */
    @Test
    void afterFailuresABackupMayCostMoreProcessorTime() {
        assertEquals(1.095, new BackupInterval(4, 2, 400, 1e-5, 500_000, 0.01).seconds(), 1e-3);
    }

    /** One failure in one node-day is assumed before anything was seen: √(2·0.01·86400/(4·0.5)) = 29.4 s. */
    @Test
    void aNewPoolIsAssumedToFailOncePerNodeDay() {
        BackupInterval interval = new BackupInterval(4, 0, 0, 0.01, 0, 1);
        assertEquals(29.39, interval.seconds(), 0.01);
        assertEquals(29, interval.iterations());
    }

    @Test
    void everySlowIterationIsBackedUp() {
        assertEquals(1, new BackupInterval(4, 0, 0, 0.01, 0, 1_000).iterations());
        assertEquals(1, new BackupInterval(4, 0, 0, 0, 0, 0).iterations());
    }

    @Property
    void moreFailuresNeverLengthenTheInterval(
            @ForAll @IntRange(min = 1, max = 1000) int blocks,
            @ForAll @IntRange(max = 1000) int failures,
            @ForAll @DoubleRange(min = 0.01, max = 1) double stall) {
        double rare = new BackupInterval(blocks, failures, 1e6, stall, 1 << 20, 0.01).seconds();
        double often = new BackupInterval(blocks, failures + 1, 1e6, stall, 1 << 20, 0.01).seconds();
        assertEquals(Math.min(rare, often), often);
    }
}
