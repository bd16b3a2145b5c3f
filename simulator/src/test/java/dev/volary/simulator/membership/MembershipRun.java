// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.mutant.SimulatedRun;

/** Runs a scenario of failure detection. */
public final class MembershipRun implements SimulatedRun {
    @Override
    public Observed run(String scenario, long seed) {
        MembershipReport report = MembershipScenarioRun.run(MembershipScenario.named(scenario), seed);
        return new Observed(report.violations(), 0, Double.NaN);
    }
}
