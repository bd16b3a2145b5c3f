// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.result;

import dev.volary.mutant.SimulatedRun;

/** Runs a scenario of holders of a result. */
public final class ResultKeepingRun implements SimulatedRun {
    @Override
    public Observed run(String scenario, long seed) {
        return new Observed(ResultKeepingSimulation.run(ResultScenario.named(scenario), seed), 0, Double.NaN);
    }
}
