// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The merged reports of the spawners of a job.
 *
 * @param stage furthest stage that a spawner reports
 * @param outcome how the job ended; empty before
 * @param leader pod of the leader; empty if there is none
 * @param residual latest certified residual, absolute; infinite before the first
 * @param scale what relative residuals are relative to
 * @param tolerance absolute tolerance
 * @param sid id of the snapshot of {@code residual}; 0 before the first
 * @param iterations iterations of all blocks together
 * @param blocks number of blocks of the job
 * @param parked number of parked blocks
 * @param backups backups of each block; 0 before the backup store is open
 * @param busy pods that serve a block
 * @param standby pods of standbys
 * @param spawners pods of the spawners that answered
 * @param results where the result is
 * @param checkpointAt when the latest checkpoint was written to the volume; empty if the leader knows of none
 * @param predictedEnd when the job will probably end; empty while nothing can be said
 */
public record JobReport(
        Stage stage,
        Optional<End> outcome,
        String leader,
        double residual,
        double scale,
        double tolerance,
        long sid,
        long iterations,
        int blocks,
        int parked,
        int backups,
        Set<String> busy,
        Set<String> standby,
        Set<String> spawners,
        Results results,
        Optional<Instant> checkpointAt,
        Optional<Instant> predictedEnd) {

    public JobReport {
        busy = Set.copyOf(busy);
        standby = Set.copyOf(standby);
        spawners = Set.copyOf(spawners);
    }

    /** Pods whose workers the spawners consider alive. */
    public Set<String> alive() {
        Set<String> alive = new HashSet<>(busy);
        alive.addAll(standby);
        alive.addAll(spawners);
        return alive;
    }

    /** Whether a client has the whole result. */
    public boolean fetched() {
        return results.fetched();
    }

    /**
     * Where the result of a job is.
     *
     * @param fetched whether a client has downloaded all of it
     * @param holders pods of spawners that hold it
     * @param none pods of spawners that do not hold it; after the end, another one may give them a copy
     * @param location where it is outside of the workers, if it is there
     * @param failure why the newest attempt to bring it there failed, if it did
     */
    public record Results(
            boolean fetched,
            Set<String> holders,
            Set<String> none,
            Optional<String> location,
            Optional<String> failure) {
        /** Before the job has ended. */
        public static final Results NONE = new Results(false, Set.of(), Set.of());

        /** Of a job whose result stays with its spawners until it is fetched. */
        public Results(boolean fetched, Set<String> holders, Set<String> none) {
            this(fetched, holders, none, Optional.empty(), Optional.empty());
        }

        public Results {
            holders = Set.copyOf(holders);
            none = Set.copyOf(none);
        }
    }

    /** Stage of a job. */
    public enum Stage {
        FORMING,
        RUNNING,
        FINISHED
    }

    /** How a job ended. */
    public sealed interface End {
        /** The residual is at most the tolerance. */
        record Certified(double residual) implements End {}

        /**
         * The deadline expired before the tolerance was reached.
         *
         * @param residual of the best answer that was reached, which is the result; infinite if there is none
         * @param iterations of a block on average, when it was recorded
         */
        record NotConverged(double residual, long iterations) implements End {}

        /** The workers ended the job with an error. */
        record Failed(String reason) implements End {}
    }
}
