// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mutant.Mutant;
import dev.volary.mutant.SimulatedRun;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import java.util.List;
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
        SimulatedRun naive = new Mutant(List.of(MutantsTest.HINT_AS_RESIDUAL)).load(Bursts.class);
        SimulatedRun.Observed run = naive.run(BURSTS.name(), 1);
        assertFalse(run.violations().isEmpty(), run::toString);
        assertTrue(run.residual() > 1000 * BURSTS.tolerance(), run::toString);
    }

    /** Runs {@link #BURSTS}. */
    public static final class Bursts implements SimulatedRun {
        @Override
        public Observed run(String scenario, long seed) {
            return JobRun.observed(Simulation.of(BURSTS, seed).run());
        }
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
