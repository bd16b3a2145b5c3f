// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import static dev.volary.simulator.scenario.SteadyScenarios.ROUGH;
import static dev.volary.simulator.scenario.SteadyScenarios.faults;

import dev.volary.simulator.scenario.FaultPlan.FaultKind;
import java.util.List;

/** Jobs in rounds: each block waits for the others, with bounded patience, and heals after it was lost. */
final class RoundScenarios {
    private RoundScenarios() {}

    static List<Scenario> all() {
        NetworkModel lossy = faults(0.5, 0.2, 0, 0);
        NetworkModel control = faults(1, 0.05, 0.05, 0.05);
        return List.of(
                rounds("rounds", FaultPlan.NONE),
                rounds("rounds-lossy", FaultPlan.NONE).network(faults(0.5, 0.2, 0.05, 0.1), control),
                rounds("rounds-slow-block", FaultPlan.NONE).slowed(10).network(lossy, NetworkModel.NONE),
                rounds("rounds-groups", FaultPlan.of(FaultKind.STORM).withStandbys(3))
                        .workers(6, 6, 3, 4)
                        .network(ROUGH, ROUGH),
                rounds("rounds-crash", FaultPlan.of(FaultKind.TWICE)),
                // The coarse solution is lost with its block too, and is found again from the loads of the others.
                rounds("rounds-crash-coarse", FaultPlan.of(FaultKind.HALF).withoutBackups()),
                rounds("rounds-old-backup", FaultPlan.of(FaultKind.TWICE)).broken(InjectedFault.OLD_BACKUPS),
                rounds("rounds-late-backup", FaultPlan.of(FaultKind.HALF)).broken(InjectedFault.LATE_BACKUPS),
                rounds("rounds-slow-replacement", FaultPlan.of(FaultKind.ONE)).broken(InjectedFault.SLOW_REPLACEMENT),
                rounds("rounds-pause", FaultPlan.of(FaultKind.PAUSE)).network(lossy, NetworkModel.NONE),
                rounds("rounds-starved-machine", FaultPlan.of(FaultKind.STARVED_MACHINE)),
                rounds("rounds-in-snapshot", FaultPlan.of(FaultKind.IN_SNAPSHOT)),
                rounds("rounds-lead", FaultPlan.of(FaultKind.LEADER_IN_SNAPSHOT))
                        .workers(6, 4, 3, 12),
                rounds("rounds-steps", FaultPlan.NONE).timeSteps(5),
                rounds("rounds-steps-crash", FaultPlan.of(FaultKind.TWICE)).timeSteps(5));
    }

    private static Scenario rounds(String name, FaultPlan faultPlan) {
        return SteadyScenarios.steady(name).with(faultPlan).inRounds().lasting(23, 1e-10);
    }
}
