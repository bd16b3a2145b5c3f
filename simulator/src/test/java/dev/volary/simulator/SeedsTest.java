// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import dev.volary.simulator.scenario.StorageModel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * All scenarios over their first seeds; a test's name says how many. {@code bench/run seeds} runs as many as wanted.
 * {@code -Dvolary.seed} and {@code -Dvolary.scenario} run one of them alone; {@code -Dvolary.digests=FILE} records how they behave.
 */
class SeedsTest {
    private static final long FIRST_SEED = 1;
    private static final Optional<Long> ONLY_SEED = Optional.ofNullable(Long.getLong("volary.seed"));
    private static final Optional<String> ONLY_SCENARIO = Optional.ofNullable(System.getProperty("volary.scenario"));

    /** Runs of these take 100 ms or more. */
    private static final Set<String> LONG = Set.of(
            "published",
            "steps-output-published",
            "cut-machine-long",
            "slow-start",
            "crash-late-holders",
            "crash-moved-block",
            "crash-lead-without-storage",
            "scaled-up",
            "late-daemons",
            "synchronous-crowded-groups",
            "synchronous-crowded",
            "crash-all-crowded",
            "crash-late-stores");

    /** Those whose behavior is recorded; long runs get fewer. */
    private static int seeds(Scenario scenario) {
        if (LONG.contains(scenario.name())
                || scenario.rounds()
                || scenario.storage() == StorageModel.OUTAGE
                || scenario.defect() == InjectedFault.FETCHES_IN_PIECES
                || scenario.defect() == InjectedFault.STORES_TIME_OUT
                || scenario.defect() == InjectedFault.VOLUME_OUTAGE
                || scenario.faultPlan().kind() == FaultPlan.FaultKind.STARVED_MACHINE) {
            return 12;
        }
        return 20;
    }

    @TestFactory
    Stream<DynamicTest> everyScenarioHoldsItsInvariantsAndEndsAsItMust() {
        return Scenarios.all().stream()
                .filter(scenario -> ONLY_SCENARIO.map(scenario.name()::equals).orElse(true))
                .map(scenario -> DynamicTest.dynamicTest(
                        scenario.name() + ", " + seeds(scenario) + " seeds", () -> holds(scenario)));
    }

    private static void holds(Scenario scenario) {
        LongStream seeds = ONLY_SEED
                .map(LongStream::of)
                .orElseGet(() -> LongStream.range(FIRST_SEED, FIRST_SEED + seeds(scenario)));
        List<SimulationReport> reports = seeds.parallel()
                .mapToObj(seed -> Simulation.of(scenario, seed).run())
                .toList();
        if (ONLY_SEED.isEmpty()) {
            RecordedDigests.check(scenario, reports);
        }
        ExpectedOutcome expected = new ExpectedOutcome(scenario);
        reports.forEach(report -> assertEquals(Optional.empty(), expected.complaint(report)));
        if (scenario.defect() == InjectedFault.DEAF_EDGE && ONLY_SEED.isEmpty()) {
            assertTrue(reports.stream().anyMatch(report -> report.stalls() > 0), "no run noticed the deaf edge");
        }
        boolean untouched =
                switch (scenario.faultPlan().kind()) {
                    // A partition that heals is seldom a death: others still receive from the one that is cut off. Nor
                    // is a
                    // pause.
                    case NONE, JOIN, PARTITION, SLOW_MACHINE, STARVED_MACHINE -> true;
                    // No worker is left that could report a loss.
                    case SUSPEND -> true;
                    default -> scenario.faultPlan().kind().harmsNoDaemon();
                };
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.SUSPEND && ONLY_SEED.isEmpty()) {
            assertTrue(
                    reports.stream().filter(report -> report.leaders() > 1).count() > reports.size() / 3,
                    "hardly any run was suspended");
        }
        untouched |= scenario.rounds(); // most jobs in rounds end before anything happens
        if (!untouched && ONLY_SEED.isEmpty()) {
            assertTrue(
                    reports.stream()
                                    .filter(report -> report.lost() + report.reassigned() > 0)
                                    .count()
                            > reports.size() / 3,
                    "hardly any run had something to repair");
        }
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.LEADER_AT_MESSAGE && ONLY_SEED.isEmpty()) {
            assertTrue(
                    5 * reports.stream().filter(report -> report.leaders() > 1).count() > 2L * reports.size(),
                    "hardly any leader was killed");
        }
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.HOLDERS_IN_DELIVERY && ONLY_SEED.isEmpty()) {
            assertTrue(
                    reports.stream().filter(report -> report.withdrawals() > 0).count() > reports.size() / 3,
                    "hardly any verdict was withdrawn");
        }
    }

    /** The leader declares the spawner dead after it has made the plan and before the log holds it. */
    @Test
    void aPlanReachesASpawnerThatTheLeaderHasForgotten() {
        SimulationReport report =
                Simulation.of(Scenarios.named("starved-machine"), 1112).run();
        assertTrue(report.violations().isEmpty(), report::toString);
    }

    /** A message that the owner sent before it died arrives after the group has declared it dead. */
    @Test
    void aLateMessageOfADeadSpawnerDoesNotKeepADaemon() {
        SimulationReport report =
                Simulation.of(Scenarios.named("rounds-starved-machine"), 1064).run();
        assertTrue(report.violations().isEmpty(), report::toString);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        Scenario scenario = Scenarios.named("reordered");
        assertEquals(
                Simulation.of(scenario, 42).run(), Simulation.of(scenario, 42).run());
        assertFalse(Simulation.of(scenario, 42)
                .run()
                .equals(Simulation.of(scenario, 43).run()));
    }

    @Test
    void aReportNamesTheLineThatRunsItAgain() {
        SimulationReport report = Simulation.of(Scenarios.named("calm"), 5).run();
        assertEquals("./mvnw -pl simulator -am test -Dvolary.scenario=calm -Dvolary.seed=5", report.reproduction());
    }

    @Test
    void aNameThatIsNoScenarioIsBadInput() {
        assertEquals(2, Simulate.run("--scenario", "stormy"));
        assertEquals(2, Simulate.run("--seed"));
        assertEquals(0, Simulate.run("--scenario", "calm", "--seed", "3"));
    }
}
