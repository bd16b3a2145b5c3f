package dev.volary.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacerTest {
    private static final long FRAME_CPU = 40_000;

    /** Two links send as often as the pacer lets them; each frame costs 40 µs; the loop's share is what comes of it. */
    private static double share(Pacer pacer, AtomicLong cpu, long nanos) {
        long now = 0;
        long used = cpu.get();
        for (; now < nanos; now += Math.max(pacer.interval(), 2 * FRAME_CPU)) {
            for (String link : new String[] {"a", "b"}) {
                cpu.addAndGet(FRAME_CPU);
                pacer.sent(link, now);
            }
        }
        return (double) (cpu.get() - used) / now;
    }

    @Test
    void the_bulk_loop_takes_its_share_of_a_core_and_no_more() {
        AtomicLong cpu = new AtomicLong();
        Pacer pacer = new Pacer(0.04, cpu::get);
        share(pacer, cpu, 1_000_000_000L); // measures
        double share = share(pacer, cpu, 10_000_000_000L);
        assertTrue(share <= 0.042 && share >= 0.03, "share is " + share);
    }

    @Test
    void there_is_no_pacing_while_computing_is_idle_or_if_it_is_off() {
        AtomicLong cpu = new AtomicLong();
        Pacer pacer = new Pacer(0.04, cpu::get);
        share(pacer, cpu, 1_000_000_000L);
        pacer.idle(true);
        assertEquals(0, pacer.interval());
        Pacer off = new Pacer(0, cpu::get);
        share(off, cpu, 1_000_000_000L);
        assertEquals(0, off.interval());
    }
}
