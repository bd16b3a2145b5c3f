// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkFaultsTest {
    private static final String ALL =
            "delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1,rate=10MB/s,partition=daemon-1|daemon-2@5s+10s";

    @Test
    void theTextFormIsParsed() {
        NetworkFaults faults = NetworkFaults.parse(ALL);
        assertEquals(Duration.ofMillis(20), faults.delay());
        assertEquals(Duration.ofMillis(5), faults.jitter());
        assertEquals(0.2, faults.loss());
        assertEquals(0.05, faults.duplicate());
        assertEquals(0.1, faults.reorder());
        assertEquals(10e6, faults.bytesPerSecond());
        assertEquals(
                List.of(new NetworkFaults.Partition(
                        "daemon-1", "daemon-2", Duration.ofSeconds(5), Duration.ofSeconds(10))),
                faults.partitions());
        assertTrue(faults.isActive());
    }

    @Test
    void theWrittenTextFormParsesToTheSameFaults() {
        NetworkFaults faults = NetworkFaults.parse(ALL);
        assertEquals(faults, NetworkFaults.parse(faults.toString()));
        assertEquals(NetworkFaults.NONE, NetworkFaults.parse(""));
        assertEquals("", NetworkFaults.NONE.toString());
        assertFalse(NetworkFaults.NONE.isActive());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "delay=20;'faults: delay is '20', must be a number and one of us, ms, s'",
                "loss=2;'faults: loss is 2.0, must be in 0..1'",
                "loss=x;'faults: loss is 'x', must be a number in 0..1'",
                "lag=1ms;'faults: 'lag=1ms' is unknown'",
                "rate=10;'faults: rate is '10', must be'",
                "partition=a;'faults: partition is 'a', must be two names'",
                "delay=1ms±2ms;'faults: delay is PT0.001S±PT0.002S, must be delay ≥ jitter'"
            },
            quoteCharacter = '"')
    void theErrorForAWrongPartNamesValueAndRemedy(String text, String message) {
        String expected = message.substring(1, message.length() - 1);
        String actual = String.valueOf(assertThrows(IllegalArgumentException.class, () -> NetworkFaults.parse(text))
                .getMessage());
        assertTrue(actual.startsWith(expected), actual);
    }

    @Test
    void aPartitionBlocksBothDirectionsForItsDurationOnly() {
        NetworkFaults faults = NetworkFaults.parse("partition=a|b@1s+2s");
        long second = 1_000_000_000L;
        assertFalse(faults.isCut("a", "b", second - 1));
        assertTrue(faults.isCut("a", "b", second));
        assertTrue(faults.isCut("b", "a", 3 * second - 1));
        assertFalse(faults.isCut("a", "b", 3 * second));
        assertFalse(faults.isCut("a", "c", 2 * second));
        assertTrue(NetworkFaults.parse("partition=a|b").isCut("a", "b", Long.MAX_VALUE / 2));
    }

    private static List<LinkFaults.Delivery> deliveries(long seed, int from, int n) {
        LinkFaults link = new LinkFaults(
                NetworkFaults.parse("delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1"), seed, from, 1);
        List<LinkFaults.Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            deliveries.add(link.next(1000, i * 1_000_000L));
        }
        return deliveries;
    }

    @Test
    void deliveriesDependOnSeedAndLinkOnly() {
        assertEquals(deliveries(1, 0, 100), deliveries(1, 0, 100));
        assertFalse(deliveries(1, 0, 100).equals(deliveries(2, 0, 100)));
        assertFalse(deliveries(1, 0, 100).equals(deliveries(1, 3, 100)));
    }

    /** Frequencies of 20 000 draws lie within five standard deviations √(p(1−p)/n) ≤ 0.0029 of their probability. */
    @Test
    void faultFrequenciesMatchTheConfiguredProbabilities() {
        int n = 20_000;
        List<LinkFaults.Delivery> deliveries = deliveries(7, 0, n);
        double lost = deliveries.stream().filter(LinkFaults.Delivery::lost).count() / (double) n;
        double twice = deliveries.stream().filter(f -> f.copies() == 2).count() / (double) n;
        double overtaken =
                deliveries.stream().filter(LinkFaults.Delivery::overtaken).count() / (double) n;
        assertEquals(0.2, lost, 0.015);
        assertEquals(0.8 * 0.05, twice, 0.01);
        assertEquals(0.1, overtaken, 0.015);
        var delays =
                deliveries.stream().mapToLong(LinkFaults.Delivery::delayNanos).summaryStatistics();
        assertTrue(delays.getMin() >= 15_000_000 && delays.getMax() <= 25_000_000, delays.toString());
        assertEquals(20e6, delays.getAverage(), 0.2e6); // 5σ of a uniform ±5 ms over 20 000 draws is 0.1 ms
    }

    @Test
    void aRateLimitDelaysFramesBehindEachOther() {
        LinkFaults link = new LinkFaults(NetworkFaults.parse("rate=1MB/s"), 1, 0, 1);
        assertEquals(1_000_000, link.next(1000, 0).delayNanos());
        assertEquals(2_000_000, link.next(1000, 0).delayNanos());
        assertEquals(1_000_000, link.next(1000, 5_000_000).delayNanos());
    }
}
