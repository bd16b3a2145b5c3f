// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureDetectorConfigTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static String refusal(MonitoringKind strategy, int watchers, Duration heartbeat, Duration timeout) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> new FailureDetectorConfig(
                                strategy, watchers, heartbeat, timeout, MINUTE, 3, timeout, MINUTE))
                .toString();
    }

    @Test
    void aHeartbeatLongerThanTheTimeoutIsRefusedWithTheRemedy() {
        String text = refusal(MonitoringKind.RANDOM_MONITORS, 2, Duration.ofSeconds(5), Duration.ofSeconds(2));
        assertTrue(text.contains("heartbeat is PT5S") && text.contains("PT2S") && text.contains("PT0.5S"), text);
    }

    @Test
    void aHeartbeatThatLeavesNoTimeToConfirmIsRefused() {
        String text = refusal(MonitoringKind.RING_WITH_CONFIRMATION, 2, Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertTrue(text.contains("heartbeat is PT1S") && text.contains("PT0.5S or less"), text);
    }

    @Test
    void theRingOfThePaperHasOneWatcher() {
        String text = refusal(MonitoringKind.RING, 2, Duration.ofMillis(500), Duration.ofSeconds(2));
        assertTrue(text.contains("watchers is 2") && text.contains("RingWithConfirmation"), text);
    }

    @Test
    void theDefaultHasTwoWatchersAndTwoSeconds() {
        assertEquals(2, FailureDetectorConfig.standard().watchers());
        assertEquals(Duration.ofSeconds(2), FailureDetectorConfig.standard().timeout());
    }

    @Test
    void phoenixHasTheParametersOfItsPaper() {
        // docs/explanation/failure-detection.md, "other strategies": k=2, 5 s, 200 s, 5 s, 5 s.
        FailureDetectorConfig phoenix = FailureDetectorConfig.phoenix();
        assertEquals(2, phoenix.watchers());
        assertEquals(Duration.ofSeconds(5), phoenix.heartbeat());
        assertEquals(Duration.ofSeconds(200), phoenix.insurance());
        assertEquals(Duration.ofSeconds(5), phoenix.timeout());
        assertEquals(Duration.ofSeconds(5), phoenix.broken());
    }
}
