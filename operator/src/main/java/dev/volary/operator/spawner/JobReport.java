// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a job's spawners say of it, put together.
 *
 * @param stage how far it is, as the lead says; as far as anybody says if there is no lead
 * @param outcome how it ended, if it has
 * @param lead pod of the lead; empty while nobody leads
 * @param residual newest certified residual, absolute; infinite before the first
 * @param scale of the problem
 * @param tolerance absolute
 * @param sid of the snapshot that certified; 0 before the first
 * @param iterations of all blocks together
 * @param blocks of the job
 * @param parked blocks without a daemon
 * @param copies of each block in force; 0 before the store is open
 * @param busy pods that serve a block
 * @param standby pods that wait for one
 * @param spawners pods of those that say so
 * @param results what the spawners say of the result
 * @param checkpointAt when the newest checkpoint became durable on the volume, if the lead has seen one
 */
public record JobReport(
        Stage stage,
        Optional<End> outcome,
        String lead,
        double residual,
        double scale,
        double tolerance,
        long sid,
        long iterations,
        int blocks,
        int parked,
        int copies,
        Set<String> busy,
        Set<String> standby,
        Set<String> spawners,
        Results results,
        Optional<Instant> checkpointAt) {

    public JobReport {
        busy = Set.copyOf(busy);
        standby = Set.copyOf(standby);
        spawners = Set.copyOf(spawners);
    }

    /** Pods whose workers are alive, as far as the spawners know: whoever was declared dead is in no group. */
    public Set<String> heard() {
        Set<String> heard = new HashSet<>(busy);
        heard.addAll(standby);
        heard.addAll(spawners);
        return heard;
    }

    /** Whether a client has the whole result. */
    public boolean fetched() {
        return results.fetched();
    }

    /**
     * Where the result of a job is.
     *
     * @param fetched whether a client has made all of it durable on its side
     * @param holders pods of spawners that hold it
     * @param none pods of spawners whose job is over and that neither hold it nor may still find that they do
     */
    public record Results(boolean fetched, Set<String> holders, Set<String> none) {
        /** Before the end. */
        public static final Results NONE = new Results(false, Set.of(), Set.of());

        public Results {
            holders = Set.copyOf(holders);
            none = Set.copyOf(none);
        }
    }

    /** How far a job is. */
    public enum Stage {
        FORMING,
        RUNNING,
        FINISHED
    }

    /** How a job ended. */
    public sealed interface End {
        /** The residual is at most the tolerance. */
        record Certified(double residual) implements End {}

        /** The deadline came first. */
        record NotConverged(double residual) implements End {}

        /** The workers gave up. */
        record Failed(String reason) implements End {}
    }
}
