// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import dev.volary.simulator.scenario.TestHooks;
import dev.volary.solver.Residual;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Halos come only every 40 iterations, by when each block has solved its own system: all local hints are tiny
 * (docs/explanation/convergence-detection.md).
 */
class BurstTest {
    private static final Scenario BURSTS = Scenarios.named("bursts").bursts(40);

    @Test
    void aDetectorThatTrustsLocalHintsStopsFarTooEarly() {
        TestHooks naive = new TestHooks() {
            @Override
            public PartialResidual evaluated(Residual residual, double localHint) {
                return new PartialResidual(localHint, localHint * localHint, 0);
            }
        };
        SimulationReport report = Simulation.of(BURSTS, 1, naive).run();
        assertFalse(report.violations().isEmpty(), report::toString);
        assertTrue(report.residual() > 1000 * BURSTS.tolerance(), report::toString);
    }

    @Test
    void theSnapshotDetectorDoesNot() {
        LongStream.rangeClosed(1, 10)
                .mapToObj(seed -> Simulation.of(BURSTS, seed).run())
                .forEach(report -> {
                    assertTrue(report.violations().isEmpty(), report::toString);
                    assertInstanceOf(
                            JobOutcome.Certified.class, report.outcome().orElseThrow(), report::toString);
                    assertTrue(report.residual() <= BURSTS.tolerance(), report::toString);
                });
    }
}
