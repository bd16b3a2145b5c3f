// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenarios;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Without a standby, a daemon gets more blocks than it can compute at full pace. */
class CrowdedDaemonsTest {
    @Test
    void aReplacementRelievesASurvivorOnceItFindsCopies() {
        for (SimulationReport report : reports("crash-crowded")) {
            assertEquals(1, report.lost(), report::toString);
            assertEquals(2, report.reassigned(), report::toString);
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    @Test
    void theFirstOfSeveralReplacementsSharesItsBlocksWithTheOthers() {
        for (SimulationReport report : reports("crash-all-crowded")) {
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    @Test
    void daemonsThatJoinAfterThePlanGetBlocks() {
        for (SimulationReport report : reports("late-daemons")) {
            assertEquals(0, report.lost(), report::toString);
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    @Test
    void standbysComputeOnceTheJobIsScaledUp() {
        for (SimulationReport report : reports("scaled-up")) {
            assertEquals(0, report.lost(), report::toString);
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    @Test
    void inTheSynchronousSchemeAReplacementComputesAgain() {
        for (SimulationReport report : reports("synchronous-crowded")) {
            assertEquals(1, report.lost(), report::toString);
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    @Test
    void inTheSynchronousSchemeAReplacementOfAnotherGroupComputesToo() {
        for (SimulationReport report : reports("synchronous-crowded-groups")) {
            assertEquals(1, report.lost(), report::toString);
            assertEquals(1, report.crowd(), report::toString);
        }
    }

    private static List<SimulationReport> reports(String scenario) {
        List<SimulationReport> reports = LongStream.rangeClosed(1, 20)
                .parallel()
                .mapToObj(seed -> Simulation.of(Scenarios.named(scenario), seed).run())
                .toList();
        reports.forEach(report -> assertTrue(report.violations().isEmpty(), report::toString));
        return reports;
    }
}
