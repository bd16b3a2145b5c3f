// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import java.util.ArrayList;
import java.util.List;

/** Runs one scenario with one seed on one group. */
final class MembershipScenarioRun {
    private MembershipScenarioRun() {}

    static MembershipReport run(MembershipScenario scenario, long seed) {
        MembershipChecker checker = new MembershipChecker(scenario.within(), scenario.fromLastSign());
        MembershipSimulation simulation = new MembershipSimulation(scenario.config(), scenario.faults(), checker, seed);
        int size =
                scenario.smallest() + simulation.random.nextInt(MembershipSimulation.GROUP + 1 - scenario.smallest());
        scenario.schedule().accept(simulation.group(size, scenario.zones()));
        simulation.run(scenario.length());
        checker.close(simulation);
        List<String> violations = new ArrayList<>(checker.violations());
        if (checker.mistakes() > scenario.mistakes()) {
            violations.add(checker.mistakes() + " live members were declared, more than " + scenario.mistakes());
        }
        if (!scenario.maySuspectLive() && checker.unfounded() > 0) {
            violations.add("live members were probed or suspected " + checker.unfounded()
                    + " times though they sent all the time");
        }
        return new MembershipReport(
                scenario.name(),
                seed,
                violations,
                checker.delays(),
                checker.mistakes(),
                checker.messages() / (size * scenario.length().toNanos() / 1e9),
                checker.suspicions(),
                checker.batches());
    }
}
