// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.config.BackupPolicy;
import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.Optional;

/** Turns a job's description into the settings of the protocols' machines. */
public final class ProtocolSettings {
    private ProtocolSettings() {}

    /**
     * For the machine of a spawner.
     *
     * @param description with the absolute tolerance, as a worker has it that has opened the problem
     * @throws IllegalArgumentException if the description is of another version
     */
    public static SpawnerConfig spawner(JobDescription description) {
        RecoveryPolicy recovery = description.getBlockAttempts() == 0
                ? RecoveryPolicy.STANDARD
                : RecoveryPolicy.STANDARD.attempting(description.getBlockAttempts());
        boolean inLockStep = LocalCodec.read(description.getScheme()) == Scheme.SYNCHRONOUS;
        SpawnerConfig config = SpawnerConfig.of(
                        description.getExpectedDaemons(),
                        description.getExpectedSpawners(),
                        description.getAbsoluteTolerance(),
                        Duration.ofMillis(description.getFormationMillis()),
                        Optional.of(Duration.ofMillis(description.getDeadlineMillis()))
                                .filter(Duration::isPositive),
                        inLockStep ? recovery.allOrNothing() : recovery)
                .wanting(daemons(description))
                .withResultCopies(Math.max(1, description.getResultCopies()))
                .withOutputEvery(description.getOutputEverySteps())
                .withWatch(failureDetector(description));
        if (description.hasResultStore() || !description.getResultVolume().isEmpty()) {
            config = config.publishing();
        }
        return usesTree(description) ? config.withTreeDetector() : config;
    }

    /**
     * For the machine of a daemon.
     *
     * @throws IllegalArgumentException if the description is of another version
     */
    public static DaemonConfig daemon(JobDescription description) {
        DaemonConfig config = DaemonConfig.of(LocalCodec.read(description.getScheme()))
                .withHelloWait(Duration.ofMillis(description.getHelloWaitMillis()))
                .withBackups(backups(description))
                .withWatch(failureDetector(description));
        return usesTree(description) ? config.withTreeDetector() : config;
    }

    /** Number of daemons that the blocks are assigned to once all of them have registered. */
    public static int daemons(JobDescription description) {
        return Math.max(description.getExpectedDaemons(), description.getWantedDaemons());
    }

    /** Whether blocks vote in a tree before a snapshot certifies what they say. */
    public static boolean usesTree(JobDescription description) {
        return description.getDetector() == DetectorKind.DETECTOR_TREE_VERIFICATION;
    }

    /** How workers monitor each other; the standard way if the description gives none. */
    public static FailureDetectorConfig failureDetector(JobDescription description) {
        return description.hasFailureDetection()
                ? failureDetector(description.getFailureDetection())
                : FailureDetectorConfig.standard();
    }

    /**
     * How workers monitor each other.
     *
     * @throws IllegalArgumentException if the description is of another version
     */
    public static FailureDetectorConfig failureDetector(FailureDetection given) {
        MonitoringKind strategy =
                switch (given.getStrategy()) {
                    case WATCH_STRATEGY_RING -> MonitoringKind.RING;
                    case WATCH_STRATEGY_RANDOM_MONITORS -> MonitoringKind.RANDOM_MONITORS;
                    case WATCH_STRATEGY_RING_WITH_CONFIRMATION -> MonitoringKind.RING_WITH_CONFIRMATION;
                    case WATCH_STRATEGY_CENTRALISED -> MonitoringKind.CENTRALISED;
                    case WATCH_STRATEGY_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException("failure_detection.strategy is " + given.getStrategy()
                                + ", must be one of those listed; use matching versions");
                };
        return FailureDetectorConfig.of(strategy, given.getWatchers(), Duration.ofMillis(given.getTimeoutMillis()));
    }

    /** Nothing is backed up before there is a store; the worker finds out how often by measuring. */
    private static BackupPolicy backups(JobDescription description) {
        return description.getCopies() == 0
                ? BackupPolicy.NONE
                : new BackupPolicy(0, description.getCopies())
                        .opening(Duration.ofMillis(description.getStoreAfterMillis()));
    }
}
