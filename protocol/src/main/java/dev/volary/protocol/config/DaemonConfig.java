// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;

/**
 * How a daemon behaves.
 *
 * @param scheme when blocks take their halos
 * @param retry after which an unanswered request is repeated; also before a lost recorded halo is asked for again
 * @param helloWait longest wait of an open block for the first halos of its neighbors, before it starts without them
 * @param backups when blocks are backed up
 * @param watch how members of the daemon's group monitor each other
 * @param tree whether the verification tree is the convergence detector
 */
public record DaemonConfig(
        Scheme scheme,
        Duration retry,
        Duration helloWait,
        BackupPolicy backups,
        FailureDetectorConfig watch,
        boolean tree) {

    public DaemonConfig {
        if (retry.toNanos() <= 0 || helloWait.isNegative()) {
            throw new IllegalArgumentException(
                    "retry is " + retry + ", must be positive; helloWait is " + helloWait + ", must not be negative");
        }
    }

    /** Without a verification tree. */
    public DaemonConfig(
            Scheme scheme, Duration retry, Duration helloWait, BackupPolicy backups, FailureDetectorConfig watch) {
        this(scheme, retry, helloWait, backups, watch, false);
    }

    /** Whether blocks roll back together, to checkpoints, instead of each to its own backup. */
    public boolean rollsBack(JobGraph graph) {
        return scheme == Scheme.SYNCHRONOUS && !graph.hasTimeSteps();
    }

    /** This, with the verification tree as the detector. */
    public DaemonConfig withTreeDetector() {
        return new DaemonConfig(scheme, retry, helloWait, backups, watch, true);
    }

    /** Retries after 200 ms, waits 3 s for neighbors, backs nothing up, detects failures as is the default. */
    public static DaemonConfig of(Scheme scheme) {
        return new DaemonConfig(
                scheme,
                Duration.ofMillis(200),
                Duration.ofSeconds(3),
                BackupPolicy.NONE,
                FailureDetectorConfig.standard());
    }

    /** This, with another wait for neighbors. */
    public DaemonConfig withHelloWait(Duration newHelloWait) {
        return new DaemonConfig(scheme, retry, newHelloWait, backups, watch, tree);
    }

    /** This, with other backups. */
    public DaemonConfig withBackups(BackupPolicy newBackups) {
        return new DaemonConfig(scheme, retry, helloWait, newBackups, watch, tree);
    }

    /** This, with another failure detection. */
    public DaemonConfig withWatch(FailureDetectorConfig newWatch) {
        return new DaemonConfig(scheme, retry, helloWait, backups, newWatch, tree);
    }
}
