// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.check;

import dev.volary.protocol.machine.JobOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a simulated job.
 *
 * @param report how it ended, and what the checker found
 * @param totals failures of its workers
 * @param messages control messages that a daemon sent in a second, standbys included
 * @param halos that a daemon sent to others in a second
 * @param allIterating virtual time from the start of the workers until the last block has completed its first iteration; the whole
 *     time if there was none
 */
public record SimulatedJobReport(
        SimulationReport report, FailureTotals totals, double messages, double halos, Duration allIterating) {

    /** How it ended; none if it was given up. */
    public Optional<JobOutcome> outcome() {
        return report.outcome();
    }

    /** What the checker found; empty if every invariant held. */
    public List<String> violations() {
        return report.violations();
    }

    /** Virtual time from the start of the workers to the outcome, or to when the job was given up. */
    public Duration time() {
        return Duration.ofNanos(report.virtualNanos());
    }
}
