// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.WatchStrategy;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.MonitoringKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProtocolSettingsTest {

    @Test
    void workersFollowTheDetectorOfTheManifest() {
        JobDescription plain = description().build();
        assertFalse(ProtocolSettings.daemon(plain).tree());
        assertFalse(ProtocolSettings.spawner(plain).snapshots().waitsForDetector());
        JobDescription tree = description()
                .setDetector(DetectorKind.DETECTOR_TREE_VERIFICATION)
                .build();
        assertTrue(ProtocolSettings.daemon(tree).tree());
        assertTrue(ProtocolSettings.spawner(tree).snapshots().waitsForDetector());
    }

    @Test
    void workersFollowTheFailureDetectionOfTheManifest() {
        JobDescription given = description()
                .setFailureDetection(FailureDetection.newBuilder()
                        .setStrategy(WatchStrategy.WATCH_STRATEGY_RANDOM_MONITORS)
                        .setWatchers(3)
                        .setTimeoutMillis(7_000))
                .build();
        for (FailureDetectorConfig config : new FailureDetectorConfig[] {
            ProtocolSettings.daemon(given).watch(),
            ProtocolSettings.spawner(given).watch()
        }) {
            assertEquals(MonitoringKind.RANDOM_MONITORS, config.strategy());
            assertEquals(3, config.watchers());
            assertEquals(Duration.ofSeconds(7), config.timeout());
        }
    }

    @Test
    void aDaemonMakesAsManyCopiesAsTheManifestSays() {
        assertEquals(
                5,
                ProtocolSettings.daemon(description().setCopies(5).build())
                        .backups()
                        .slots());
    }

    private static JobDescription.Builder description() {
        return JobDescription.newBuilder()
                .setScheme(SchemeKind.SCHEME_ASYNCHRONOUS)
                .setExpectedDaemons(8)
                .setExpectedSpawners(2)
                .setAbsoluteTolerance(1e-6)
                .setFormationMillis(1_000);
    }
}
