// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import java.util.ArrayList;
import java.util.List;

/** One group, one scenario, one seed. */
final class WatchSimulation {
    private WatchSimulation() {}

    static MembershipReport run(MembershipScenario scenario, long seed) {
        return run(scenario, seed, new WatchWiring());
    }

    static MembershipReport run(MembershipScenario scenario, long seed, WatchWiring wiring) {
        MembershipChecker judge = new MembershipChecker(scenario.within(), scenario.fromLastSign());
        MembershipSimulation world =
                new MembershipSimulation(scenario.config(), scenario.faults(), wiring, judge, seed);
        int size = scenario.smallest() + world.random.nextInt(MembershipSimulation.GROUP + 1 - scenario.smallest());
        scenario.plot().accept(world.group(size, scenario.zones()));
        world.run(scenario.length());
        judge.close(world);
        List<String> violations = new ArrayList<>(judge.violations());
        if (judge.mistakes() > scenario.mistakes()) {
            violations.add(judge.mistakes() + " live members were declared, more than " + scenario.mistakes());
        }
        if (!scenario.doubts() && judge.unfounded() > 0) {
            violations.add(
                    "somebody was probed or suspected " + judge.unfounded() + " times though it spoke all the time");
        }
        return new MembershipReport(
                scenario.name(),
                seed,
                violations,
                judge.delays(),
                judge.mistakes(),
                judge.messages() / (size * scenario.length().toNanos() / 1e9),
                judge.suspicions(),
                judge.batches());
    }
}
