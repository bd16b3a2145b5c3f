// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import java.time.Duration;

/**
 * When to take snapshots (docs/explanation/certification.md, "when a snapshot is tried"), and what they must reach.
 *
 * @param tolerance absolute: certified means that the bound of ‖r‖ does not exceed it
 * @param kappa a snapshot is worth trying when all local hints are at most this multiple of the tolerance
 * @param minimumPeriod shortest period of the time grid
 * @param cpuShare most of the CPU time that snapshots of the grid may take; 0.01 makes the period 100 times the cost
 * @param waitsForDetector the job ends only with a snapshot that a convergence detector has asked for
 * @param kept snapshots are checkpoints too: their parts become durable, whatever their residual is
 * @param published the result is brought to storage outside of the workers before the job ends
 * @param keepsBest the best snapshot above the tolerance is kept, because the job may end with it
 * @param outputEvery the result has the vector of every time step whose number this divides; 0 for the last step only
 */
public record SnapshotConfig(
        double tolerance,
        double kappa,
        Duration minimumPeriod,
        double cpuShare,
        boolean waitsForDetector,
        boolean kept,
        boolean published,
        boolean keepsBest,
        int outputEvery) {

    /** The residual of a whole vector is up to two thirds larger than those that its blocks know. */
    private static final double KAPPA_IN_ROUNDS = 0.6;

    public SnapshotConfig {
        if (!(tolerance > 0) || !Double.isFinite(tolerance)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", must be positive and finite");
        }
        if (!(kappa > 0) || !(cpuShare > 0) || cpuShare > 1 || minimumPeriod.toNanos() <= 0) {
            throw new IllegalArgumentException("kappa is " + kappa + ", must be positive; cpuShare is " + cpuShare
                    + ", must be in (0, 1]; minimumPeriod is " + minimumPeriod + ", must be positive");
        }
        if (outputEvery < 0) {
            throw new IllegalArgumentException("outputEvery is " + outputEvery + ", must not be negative");
        }
    }

    /** κ = 3, at least 100 ms and 1 % of the CPU. */
    public static SnapshotConfig of(double tolerance) {
        return new SnapshotConfig(tolerance, 3, Duration.ofMillis(100), 0.01, false, false, false, false, 0);
    }

    /** Largest hint of a block that may have converged. */
    public double hintBound() {
        return kappa * tolerance;
    }

    /**
     * This, where blocks work in rounds: another round gains more than a snapshot until hints are so small that a snapshot is likely to
     * certify.
     */
    public SnapshotConfig inRounds() {
        return new SnapshotConfig(
                tolerance,
                KAPPA_IN_ROUNDS,
                minimumPeriod,
                cpuShare,
                waitsForDetector,
                kept,
                published,
                keepsBest,
                outputEvery);
    }

    /** This, where a convergence detector says when the job may have converged. */
    public SnapshotConfig waitingForDetector() {
        return new SnapshotConfig(
                tolerance, kappa, minimumPeriod, cpuShare, true, kept, published, keepsBest, outputEvery);
    }

    /** This, where snapshots are kept as checkpoints. */
    public SnapshotConfig keeping() {
        return new SnapshotConfig(
                tolerance, kappa, minimumPeriod, cpuShare, waitsForDetector, true, published, keepsBest, outputEvery);
    }

    /** This, where the result is published before the job ends. */
    public SnapshotConfig publishing() {
        return new SnapshotConfig(
                tolerance, kappa, minimumPeriod, cpuShare, waitsForDetector, kept, true, keepsBest, outputEvery);
    }

    /** This, where the best snapshot above the tolerance is kept. */
    public SnapshotConfig keepingBest() {
        return new SnapshotConfig(
                tolerance, kappa, minimumPeriod, cpuShare, waitsForDetector, kept, published, true, outputEvery);
    }

    /** This, where the result has every time step whose number {@code steps} divides. */
    public SnapshotConfig withOutputEvery(int steps) {
        return new SnapshotConfig(
                tolerance, kappa, minimumPeriod, cpuShare, waitsForDetector, kept, published, keepsBest, steps);
    }
}
