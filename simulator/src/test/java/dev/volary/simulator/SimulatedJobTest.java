// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mutant.Mutant;
import dev.volary.mutant.SimulatedRun;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.check.FailureTotals;
import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.simulator.scenario.IterationCost;
import dev.volary.simulator.scenario.NetworkModel;
import dev.volary.simulator.scenario.SimulatedProblem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs with the time-outs of real ones: a grid of 40 × 40 points in eight blocks, which computes for about five
 * seconds.
 */
class SimulatedJobTest {
    private static final double TOLERANCE = 1e-5;
    /** By then workers monitor each other. */
    private static final Duration SOON = Duration.ofSeconds(2);

    @Test
    void withoutFailuresItIsCertifiedAndNothingIsCounted() {
        SimulatedJobReport report = sound(run(job(Scheme.ASYNCHRONOUS, 0), 1, FailureModel.NONE));
        FailureTotals totals = report.totals();
        assertEquals(0, totals.daemonsKilled() + totals.declared() + totals.restored() + totals.begunAgain());
        assertEquals(0, totals.lostIterations());
        assertTrue(report.messages() > 1 && report.messages() < 50, () -> report.messages() + " messages");
        assertTrue(report.time().compareTo(Duration.ofSeconds(10)) < 0, () -> "took " + report.time());
    }

    @Test
    void theSameSeedAndFailuresGiveTheSameReport() {
        SimulatedJob job = job(Scheme.ASYNCHRONOUS, 0);
        SimulatedJobReport first = run(job, 3, new Once(false));
        assertEquals(first, run(job, 3, new Once(false)));
        assertNotEquals(first, run(job, 4, new Once(false)));
    }

    @ParameterizedTest
    @EnumSource(Scheme.class)
    void aSilentCrashIsDetectedWithinTheTimeoutAndTheJobIsCertified(Scheme scheme) {
        // With this seed the standby is in the group that loses a daemon.
        FailureTotals totals = sound(run(job(scheme, 0), 2, new Once(true))).totals();
        assertEquals(1, totals.daemonsKilled());
        assertEquals(1, totals.detections().size());
        Duration noticed = totals.detections().getFirst();
        // docs/explanation/failure-detection.md: a verdict within 2 s of the last message, batch and messages
        // included
        assertTrue(noticed.compareTo(Duration.ofMillis(2_200)) < 0, () -> "noticed after " + noticed);
        assertTrue(noticed.compareTo(Duration.ofSeconds(1)) > 0, () -> "noticed after " + noticed);
        assertEquals(1, totals.byStandby(), totals::toString);
        assertEquals(1, totals.standstills().size(), totals::toString);
        assertTrue(totals.lostIterations() > 0, totals::toString);
    }

    @Test
    void aProcessThatDiesOnALivingHostIsNoticedAtOnce() {
        FailureTotals totals =
                sound(run(job(Scheme.ASYNCHRONOUS, 0), 5, new Once(false))).totals();
        // docs/explanation/failure-detection.md: a process that dies on a living host within 200 ms
        assertTrue(totals.detections().getFirst().compareTo(Duration.ofMillis(200)) < 0, totals::toString);
    }

    @Test
    void aDaemonThatLeavesInOrderLosesNoIteration() {
        FailureModel leaves = new Once(false) {
            @Override
            Failure failure(String worker) {
                return new Failure.Leave(worker);
            }
        };
        FailureTotals totals =
                sound(run(job(Scheme.ASYNCHRONOUS, 0), 2, leaves)).totals();
        assertEquals(1, totals.left());
        assertEquals(1, totals.restored(), totals::toString);
        assertEquals(0, totals.lostIterations());
    }

    @Test
    void aSpawnersDeathLosesNoIteration() {
        FailureModel killsSpawner = new Once(false) {
            @Override
            boolean hits(Candidate worker) {
                return worker.isSpawner();
            }
        };
        FailureTotals totals =
                sound(run(job(Scheme.ASYNCHRONOUS, 0), 2, killsSpawner)).totals();
        assertEquals(1, totals.spawnersKilled());
        assertEquals(0, totals.lostIterations());
    }

    @Test
    void timeStepsAreCommittedWhileADaemonDies() {
        SimulatedJobReport report = sound(run(job(Scheme.ASYNCHRONOUS, 20), 2, new Once(false)));
        assertEquals(1, report.totals().daemonsKilled());
    }

    /** Daemons report each 100 ms at first, then more and more seldom; a step of a few rounds must not wait for that. */
    @Test
    void stepsInRoundsDoNotWaitForTheNextReport() {
        SimulatedProblem steps = SimulatedProblem.rounds(31, 40, 8);
        SimulatedJobReport report =
                sound(run(job(steps, Scheme.ASYNCHRONOUS, Duration.ofMillis(1)), 1, FailureModel.NONE));
        Duration each = report.time().minus(report.allIterating()).dividedBy(steps.steps());
        assertTrue(each.compareTo(Duration.ofMillis(30)) < 0, () -> each + " for each step");
    }

    @Test
    void aJobThatMayNotGoOnIsGivenUpWithoutAViolation() {
        SimulatedJobReport report = job(Scheme.ASYNCHRONOUS, 0).run(1, FailureModel.NONE, () -> false);
        assertEquals(Optional.empty(), report.outcome());
        assertEquals(List.of(), report.violations());
    }

    @Test
    void aMutantIsCaughtHereToo() {
        Mutant.Edit zero = new Mutant.Edit(
                MutantsTest.HINT_AS_RESIDUAL.file(),
                MutantsTest.HINT_AS_RESIDUAL.line(),
                "PartialResidual residual = PartialResidual.ZERO;");
        SimulatedRun.Observed run =
                new Mutant(List.of(zero)).load(AsynchronousJob.class).run("plate", 1);
        assertTrue(
                run.violations().stream().anyMatch(text -> text.contains("the delivered vector has")), run::toString);
    }

    /** Runs an asynchronous job without failures. */
    public static final class AsynchronousJob implements SimulatedRun {
        @Override
        public Observed run(String scenario, long seed) {
            return JobRun.observed(SimulatedJobTest.run(job(Scheme.ASYNCHRONOUS, 0), seed, FailureModel.NONE)
                    .report());
        }
    }

    private static SimulatedJobReport run(SimulatedJob job, long seed, FailureModel failureModel) {
        return job.run(seed, failureModel, () -> true);
    }

    private static SimulatedJobReport sound(SimulatedJobReport report) {
        assertEquals(List.of(), report.violations());
        assertInstanceOf(JobOutcome.Certified.class, report.outcome().orElseThrow());
        assertTrue(
                report.report().residual() <= TOLERANCE, () -> report.report().toString());
        return report;
    }

    private static SimulatedJob job(Scheme scheme, int steps) {
        return job(SimulatedProblem.plate(40, steps, 8), scheme, Duration.ofMillis(10));
    }

    private static SimulatedJob job(SimulatedProblem problem, Scheme scheme, Duration iteration) {
        return new SimulatedJob(
                "plate",
                problem.model(),
                problem.decomposition(),
                scheme,
                false,
                TOLERANCE,
                8,
                1,
                2,
                FailureDetectorConfig.standard(),
                2,
                50,
                Optional.empty(),
                0,
                NetworkModel.NONE,
                NetworkModel.NONE,
                IterationCost.atLeast(iteration),
                1);
    }

    /** Hits one worker, a while after all blocks iterate: the first by name. */
    private static class Once implements FailureModel {
        private final boolean silent;
        private long firstAsked = -1;
        private boolean hasHit;

        Once(boolean silent) {
            this.silent = silent;
        }

        boolean hits(Candidate worker) {
            return !worker.isSpawner();
        }

        Failure failure(String worker) {
            return new Failure.Crash(worker, silent);
        }

        @Override
        public List<Failure> due(long now, Collection<Candidate> alive) {
            firstAsked = firstAsked < 0 ? now : firstAsked;
            if (hasHit || now < firstAsked + SOON.toNanos()) {
                return List.of();
            }
            hasHit = true;
            return alive.stream()
                    .filter(this::hits)
                    .map(Candidate::name)
                    .sorted()
                    .limit(1)
                    .map(this::failure)
                    .toList();
        }
    }
}
