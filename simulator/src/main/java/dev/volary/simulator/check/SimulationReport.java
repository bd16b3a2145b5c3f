// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.check;

import dev.volary.protocol.machine.JobOutcome;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a run.
 *
 * @param scenario its name
 * @param seed of the run
 * @param outcome how the job ended, if it did
 * @param violations of the invariants; empty if all is well
 * @param residual of the delivered vector, recomputed as a whole; NaN if none was delivered
 * @param digest of the bits of the delivered vector; 0 if none was delivered
 * @param virtualNanos from the start to the outcome
 * @param snapshots closed
 * @param refusals snapshots that a claim of the verification tree was waiting for, and that did not end the job
 * @param iterations of all blocks
 * @param stalls times that the job reported that it is locally stalled
 * @param fenced times that a message of a stale process was refused
 * @param refused control messages that a full link refused
 * @param lost daemons declared lost
 * @param reassigned blocks that got another daemon
 * @param crowd blocks of the daemon that had most of them in the end
 * @param leaders spawners that became the leader, one after the other
 * @param withdrawals verdicts that were withdrawn, because parts of their vector were lost
 * @param events handled
 */
public record SimulationReport(
        String scenario,
        long seed,
        Optional<JobOutcome> outcome,
        List<String> violations,
        double residual,
        long digest,
        long virtualNanos,
        int snapshots,
        int refusals,
        long iterations,
        int stalls,
        int fenced,
        int refused,
        int lost,
        int reassigned,
        int crowd,
        int leaders,
        int withdrawals,
        long events) {

    public SimulationReport {
        violations = List.copyOf(violations);
    }

    /** One line that runs this again. */
    public String reproduction() {
        return "./mvnw -pl simulator -am test -Dvolary.scenario=" + scenario + " -Dvolary.seed=" + seed;
    }

    @Override
    public String toString() {
        return String.format(
                "%s seed %d: %s after %.3f s, %d snapshots, %d iterations, %d lost, %d reassigned, %d events%s",
                scenario,
                seed,
                outcome.map(Object::toString).orElse("no end"),
                virtualNanos / 1e9,
                snapshots,
                iterations,
                lost,
                reassigned,
                events,
                violations.isEmpty() ? "" : "\n  " + String.join("\n  ", violations) + "\n  again: " + reproduction());
    }
}
