// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HaloPacerTest {
    private static final long FRAME_CPU = 40_000;
    private static final double ITERATION = 0.2e6;

    /** Two links send as often as the pacer lets them; each frame costs 40 µs; the loop's share is what comes of it. */
    private static double share(HaloPacer pacer, AtomicLong cpu, double depth, long nanos) {
        long now = 0;
        long used = cpu.get();
        for (; now < nanos; now = Math.max(pacer.due(now, depth, ITERATION), now + 2 * FRAME_CPU)) {
            for (String link : new String[] {"a", "b"}) {
                cpu.addAndGet(FRAME_CPU);
                pacer.sent(link, now);
            }
        }
        return (double) (cpu.get() - used) / now;
    }

    @Test
    void theBulkLoopUsesAtMostItsShareOfACore() {
        AtomicLong cpu = new AtomicLong();
        HaloPacer pacer = new HaloPacer(0.04, cpu::get);
        share(pacer, cpu, 0, 1_000_000_000L); // measures
        double share = share(pacer, cpu, 0, 10_000_000_000L);
        assertTrue(share <= 0.042 && share >= 0.028, "share is " + share);
    }

    @Test
    void aShareOfZeroDisablesPacing() {
        AtomicLong cpu = new AtomicLong();
        HaloPacer off = new HaloPacer(0, cpu::get);
        share(off, cpu, 0, 1_000_000_000L);
        assertEquals(0, off.interval(0, ITERATION));
    }

    @Test
    void theIntervalOfLongLivedValuesBalancesCostAndAge() {
        AtomicLong cpu = new AtomicLong();
        HaloPacer pacer = new HaloPacer(0.2, cpu::get);
        double depth = 512; // layers; with 0.2 ms an iteration they last 102.4 ms
        share(pacer, cpu, depth, 1_000_000_000L);
        // 2 links × 40 µs: t = √(4 × 80 µs × 102.4 ms) = 5.72 ms; on a grid of 2.1 ms up to 7.8 ms: 80 µs / t
        assertEquals(5.72e6, (double) pacer.interval(depth, ITERATION), 0.06e6);
        double share = share(pacer, cpu, depth, 10_000_000_000L);
        assertTrue(share <= 0.0142 && share >= 0.0102, "share is " + share);
    }

    @Test
    void linksWithSimilarIntervalsAreDueTogether() {
        AtomicLong cpu = new AtomicLong();
        HaloPacer pacer = new HaloPacer(0.2, cpu::get);
        share(pacer, cpu, 500, 1_000_000_000L);
        long base = pacer.due(0, 500, ITERATION);
        assertEquals(base, pacer.due(-100_000, 500, ITERATION));
        assertTrue(base >= pacer.interval(500, ITERATION));
    }

    @Test
    void anIterationMuchLongerThanAFrameIsNotPaced() {
        AtomicLong cpu = new AtomicLong();
        HaloPacer pacer = new HaloPacer(0.2, cpu::get);
        share(pacer, cpu, 8, 1_000_000_000L);
        assertEquals(0, pacer.interval(8, 1e6)); // 2 × 40 µs of 1 ms
        assertTrue(pacer.interval(8, 0.5e6) > 0);
    }
}
