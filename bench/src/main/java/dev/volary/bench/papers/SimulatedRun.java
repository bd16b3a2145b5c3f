// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.papers;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.SimulatedJob;
import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.simulator.scenario.IterationCost;
import dev.volary.simulator.scenario.NetworkModel;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A simulated job of a built-in problem, a block for each daemon.
 *
 * @param seconds of virtual time from when all blocks iterate to the outcome
 * @param iterations of all blocks
 * @param crashes of daemons
 */
record SimulatedRun(double seconds, long iterations, int crashes) {
    private static final int COPIES = 2;
    /** Backups of each block, in virtual time. */
    private static final Duration BETWEEN_BACKUPS = Duration.ofSeconds(5);

    /**
     * What is simulated.
     *
     * @param iteration time of an iteration of a block
     * @param slow how much slower the first daemon computes
     * @param latency of all messages
     */
    record Setup(
            Problem problem,
            Map<String, Object> parameters,
            Scheme scheme,
            double tolerance,
            int daemons,
            int standbys,
            int zones,
            FailureDetectorConfig failureDetection,
            Duration latency,
            Duration iteration,
            double slow) {

        /** This, with iterations of another length. */
        Setup iterating(Duration time) {
            return with(failureDetection, time);
        }

        /** This, with another way of failure detection. */
        Setup detecting(FailureDetectorConfig newFailureDetection) {
            return with(newFailureDetection, iteration);
        }

        private Setup with(FailureDetectorConfig detection, Duration time) {
            return new Setup(
                    problem, parameters, scheme, tolerance, daemons, standbys, zones, detection, latency, time, slow);
        }
    }

    /**
     * Runs a job to its certified end.
     *
     * @throws IllegalStateException if it ends otherwise, or violates an invariant
     */
    static SimulatedRun of(Setup setup, FailureModel failures, long seed) {
        SimulatedJobReport report = job(setup).run(seed, failures, () -> true);
        if (!(report.outcome().orElse(null) instanceof JobOutcome.Certified)
                || !report.violations().isEmpty()) {
            throw new IllegalStateException("not certified: " + report.report());
        }
        double seconds = report.time()
                        .minus(report.allIterating())
                        .plus(setup.iteration())
                        .toNanos()
                / 1e9;
        return new SimulatedRun(
                seconds, report.report().iterations(), report.totals().daemonsKilled());
    }

    private static SimulatedJob job(Setup setup) {
        try {
            Model model = setup.problem()
                    .open(ParameterValues.of(setup.problem().parameters(), setup.parameters()), Inputs.none());
            Decomposition decomposition = model.decompose(setup.daemons());
            NetworkModel network =
                    new NetworkModel(setup.latency(), setup.latency().dividedBy(4), 0, 0, 0);
            return new SimulatedJob(
                    "papers",
                    model,
                    decomposition,
                    setup.scheme(),
                    false,
                    setup.tolerance(),
                    setup.daemons(),
                    setup.standbys(),
                    Math.ceilDiv(setup.daemons() + setup.standbys(), SimulatedJob.GROUP),
                    setup.failureDetection(),
                    COPIES,
                    Math.max(1, BETWEEN_BACKUPS.toNanos() / setup.iteration().toNanos()),
                    Optional.empty(),
                    setup.zones(),
                    network,
                    network,
                    IterationCost.atLeast(setup.iteration()),
                    setup.slow());
        } catch (InvalidProblemException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
