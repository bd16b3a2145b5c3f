// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;
import java.util.function.Consumer;

/** Checks that a job with a verification tree is certified only soon after a claim of convergence, and counts refused claims. */
final class ConvergenceClaimChecker {
    /** Snapshots that may close between a claim and the snapshot that it triggers. */
    private static final int MOST_SNAPSHOTS_SINCE_CLAIM = 5;

    private final boolean tree;
    private final double tolerance;
    private final Consumer<String> violated;
    private boolean claimed;
    private int closedSinceClaim;
    private int refusals;

    ConvergenceClaimChecker(boolean tree, double tolerance, Consumer<String> violated) {
        this.tree = tree;
        this.tolerance = tolerance;
        this.violated = violated;
    }

    /** A block claims that the job has converged. */
    void convergenceClaimed() {
        claimed = true;
        closedSinceClaim = 0;
    }

    /** A snapshot is complete, and refuses the claim before it if its residual is above the tolerance. */
    void snapshotClosed(JobEvent.SnapshotClosed closed) {
        closedSinceClaim++;
        refusals += claimed && closed.residual() > tolerance ? 1 : 0;
        claimed = false;
    }

    /** The job ends certified. */
    void jobCertified() {
        if (tree && closedSinceClaim > MOST_SNAPSHOTS_SINCE_CLAIM) {
            violated.accept("certified, but no block claimed so in the verification tree for " + closedSinceClaim
                    + " snapshots");
        }
    }

    /** Claims that a snapshot refused. */
    int refusals() {
        return refusals;
    }
}
