// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

import dev.volary.protocol.model.JobGraph;
import java.time.Duration;
import java.util.Optional;

/**
 * What a job wants, the same for all its spawners.
 *
 * @param daemons daemons expected before the leader plans
 * @param minimumDaemons with how many it plans once the formation timeout is over
 * @param wanted daemons to which the blocks are assigned once all of them are there
 * @param spawners spawners expected before the leader plans
 * @param formationTimeout how long the leader waits for all of them
 * @param groupBound most daemons in a group
 * @param retry after which an unanswered request is repeated
 * @param reportPeriod between two progress messages of a group, and two progress events
 * @param snapshots when to take snapshots, and what they must reach
 * @param deadline from the start of the leader; then the job ends with the best that it has
 * @param finalBound how long after the deadline the last snapshot, its storing and its assembly may take
 * @param recovery what may be done when a daemon is lost
 * @param watch how the members of a group monitor each other
 * @param resultCopies how many spawners hold the complete result before the job says that it is certified
 * @param copyPatience how long the leader looks for a spawner that takes a copy
 * @param holdsBackups whether this spawner keeps backups of blocks, as daemons do
 */
public record SpawnerConfig(
        int daemons,
        int minimumDaemons,
        int wanted,
        int spawners,
        Duration formationTimeout,
        int groupBound,
        Duration retry,
        Duration reportPeriod,
        SnapshotConfig snapshots,
        Optional<Duration> deadline,
        Duration finalBound,
        RecoveryPolicy recovery,
        FailureDetectorConfig watch,
        int resultCopies,
        Duration copyPatience,
        boolean holdsBackups) {

    /** A spawner that was lost just then is replaced in less. */
    private static final Duration COPY_PATIENCE = Duration.ofSeconds(90);

    private static final int GATHERING_WINDOWS = 2;
    /** A daemon that is not monitored yet notices after ten retry periods that its spawner is silent. */
    private static final int GATHERING_RETRIES = 15;

    public SpawnerConfig {
        if (minimumDaemons < 1 || daemons < minimumDaemons || wanted < daemons || spawners < 1 || groupBound < 1) {
            throw new IllegalArgumentException(
                    "daemons is " + daemons + ", minimumDaemons " + minimumDaemons + ", wanted "
                            + wanted + ", spawners " + spawners + ", groupBound " + groupBound
                            + "; all must be positive, the minimum not above the number, nor that above the wanted one");
        }
        for (Duration d : new Duration[] {formationTimeout, retry, reportPeriod, finalBound, copyPatience}) {
            if (d.toNanos() <= 0) {
                throw new IllegalArgumentException(
                        "formationTimeout, retry, reportPeriod, finalBound and copyPatience must be positive, one is "
                                + d);
            }
        }
        if (resultCopies < 1 || resultCopies > 2) {
            throw new IllegalArgumentException("resultCopies is " + resultCopies + ", must be 1 or 2");
        }
    }

    /**
     * All daemons are needed, groups of up to 32, retries after 200 ms, reports each 200 ms, 10 s for the last snapshot, the
     * default failure detection.
     *
     * @param tolerance absolute: the certified bound of ‖r‖ must not exceed it
     */
    public static SpawnerConfig of(
            int daemons,
            int spawners,
            double tolerance,
            Duration formationTimeout,
            Optional<Duration> deadline,
            RecoveryPolicy recovery) {
        return new SpawnerConfig(
                daemons,
                daemons,
                daemons,
                spawners,
                formationTimeout,
                32,
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                SnapshotConfig.of(tolerance),
                deadline,
                Duration.ofSeconds(10),
                recovery,
                FailureDetectorConfig.standard(),
                1,
                COPY_PATIENCE,
                true);
    }

    /** How long daemons may take to find another spawner, whether their group was monitored already or not. */
    public Duration gathering() {
        return watch.timeout().multipliedBy(GATHERING_WINDOWS).plus(retry.multipliedBy(GATHERING_RETRIES));
    }

    /**
     * Whether all blocks roll back to a checkpoint when one has lost its daemon: in lock-step, where it cannot be restored
     * alone, unless the problem has time steps.
     */
    public boolean rollsBack(JobGraph graph) {
        return !recovery.restartable() && !graph.hasTimeSteps();
    }

    /**
     * When to take snapshots: where all blocks roll back together, when the token comes back. With a deadline the best one is kept;
     * not in time steps, whose vectors cannot be compared by their residuals.
     */
    public SnapshotConfig detection(JobGraph graph) {
        SnapshotConfig detection = rollsBack(graph) ? snapshots.waitingForDetector() : snapshots;
        return deadline.isPresent() && !graph.hasTimeSteps() ? detection.keepingBest() : detection;
    }

    /**
     * Whether recorded parts are kept on two spawners for as long as they may be needed: not where checkpoints outside of the workers
     * have them.
     */
    public boolean copiesParts() {
        return resultCopies > 1 && !snapshots.kept();
    }

    /** This, where the job begins before all daemons are there. */
    public SpawnerConfig wanting(int number) {
        return with(number, snapshots, watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, where a snapshot decides once the verification tree says that the job has converged. */
    public SpawnerConfig withTreeDetector() {
        return with(wanted, snapshots.waitingForDetector(), watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, where blocks work in rounds. */
    public SpawnerConfig inRounds() {
        return with(wanted, snapshots.inRounds(), watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, where snapshots are kept as checkpoints on a volume. */
    public SpawnerConfig keeping() {
        return with(wanted, snapshots.keeping(), watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, where the result is brought to storage outside of the workers before the job ends. */
    public SpawnerConfig publishing() {
        return with(wanted, snapshots.publishing(), watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, where the result has every time step whose number {@code steps} divides. */
    public SpawnerConfig withOutputEvery(int steps) {
        return with(wanted, snapshots.withOutputEvery(steps), watch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, with another failure detection. */
    public SpawnerConfig withWatch(FailureDetectorConfig newWatch) {
        return with(wanted, snapshots, newWatch, resultCopies, copyPatience, holdsBackups);
    }

    /** This, with this many spawners that hold the complete result at the end. */
    public SpawnerConfig withResultCopies(int copies) {
        return withResultCopies(copies, copyPatience);
    }

    /** As {@link #withResultCopies(int)}, with another patience. */
    public SpawnerConfig withResultCopies(int copies, Duration patience) {
        return with(wanted, snapshots, watch, copies, patience, holdsBackups);
    }

    /** This, where backups are left to the daemons: the spawner's memory is not enough for them. */
    public SpawnerConfig withoutBackups() {
        return with(wanted, snapshots, watch, resultCopies, copyPatience, false);
    }

    private SpawnerConfig with(
            int newWanted,
            SnapshotConfig newSnapshots,
            FailureDetectorConfig newWatch,
            int newCopies,
            Duration newPatience,
            boolean newHolds) {
        return new SpawnerConfig(
                daemons,
                minimumDaemons,
                newWanted,
                spawners,
                formationTimeout,
                groupBound,
                retry,
                reportPeriod,
                newSnapshots,
                deadline,
                finalBound,
                recovery,
                newWatch,
                newCopies,
                newPatience,
                newHolds);
    }
}
