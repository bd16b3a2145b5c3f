// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.mutant.SimulatedRun;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenarios;

/** Runs a scenario of jobs. */
public final class JobRun implements SimulatedRun {
    @Override
    public Observed run(String scenario, long seed) {
        return observed(Simulation.of(Scenarios.named(scenario), seed).run());
    }

    static Observed observed(SimulationReport report) {
        return new Observed(report.violations(), report.refusals(), report.residual());
    }
}
