// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.mutant.SimulatedRun;

/** Runs a scenario of the operator. */
public final class OperatorRun implements SimulatedRun {
    @Override
    public Observed run(String scenario, long seed) {
        OperatorReport report = OperatorSimulation.run(OperatorScenario.named(scenario), seed);
        return new Observed(report.violations(), 0, Double.NaN);
    }
}
