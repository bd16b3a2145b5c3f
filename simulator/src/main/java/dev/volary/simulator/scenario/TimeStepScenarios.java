// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import static dev.volary.simulator.scenario.FaultScenarios.faulty;
import static dev.volary.simulator.scenario.SteadyScenarios.ROUGH;
import static dev.volary.simulator.scenario.SteadyScenarios.faults;
import static dev.volary.simulator.scenario.SteadyScenarios.steady;

import dev.volary.protocol.model.Scheme;
import java.util.List;

/** Jobs in time steps, with and without faults. */
final class TimeStepScenarios {
    private TimeStepScenarios() {}

    static List<Scenario> all() {
        return List.of(
                steady("steps").timeSteps(4),
                steady("steps-lossy").timeSteps(3).network(faults(0.5, 0.2, 0, 0), faults(1, 0.05, 0.05, 0.05)),
                steady("steps-synchronous").timeSteps(3).inScheme(Scheme.SYNCHRONOUS),
                steady("steps-synchronous-lossy")
                        .timeSteps(3)
                        .inScheme(Scheme.SYNCHRONOUS)
                        .network(faults(0.5, 0.05, 0.05, 0.05), ROUGH)
                        .slowed(2),
                steady("steps-groups").timeSteps(3).workers(8, 8, 3, 3).network(ROUGH, ROUGH),
                steady("steps-tree").timeSteps(3).withTreeDetector().network(faults(0.5, 0.2, 0, 0), ROUGH),
                faulty("steps-tree-crash", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .timeSteps(3)
                        .withTreeDetector(),
                faulty("steps-synchronous-crash", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .timeSteps(3)
                        .inScheme(Scheme.SYNCHRONOUS),
                faulty("steps-crash-in-commit", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .timeSteps(3),
                faulty(
                                "steps-crash-in-commit-no-backup",
                                FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT).withoutBackups())
                        .timeSteps(3),
                faulty("steps-fetch-in-pieces", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .timeSteps(3)
                        .broken(InjectedFault.FETCHES_IN_PIECES),
                faulty("steps-stores-time-out", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .timeSteps(3)
                        .holders(2)
                        .broken(InjectedFault.STORES_TIME_OUT),
                faulty("steps-crash-holder-in-commit", FaultPlan.of(FaultPlan.FaultKind.HOLDER_IN_COMMIT))
                        .timeSteps(3)
                        .network(ROUGH, ROUGH),
                faulty("steps-crash-lead-in-commit", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_COMMIT))
                        .timeSteps(3)
                        .workers(9, 6, 3, 12),
                faulty("steps-crash-lead-in-commit-groups", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_COMMIT))
                        .timeSteps(3)
                        .workers(9, 9, 3, 4),
                faulty("steps-output-crash-lead-in-commit", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_COMMIT))
                        .timeSteps(5)
                        .outputEvery(2)
                        .workers(9, 6, 3, 12),
                faulty("steps-output-published", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_COMMIT))
                        .timeSteps(5)
                        .outputEvery(2)
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .published(StorageModel.UNRELIABLE),
                faulty("steps-crash-lead-in-commit-spooled", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_COMMIT))
                        .timeSteps(3)
                        .workers(9, 6, 3, 12)
                        .holders(2),
                faulty(
                                "steps-holders-in-turn",
                                FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_TURN)
                                        .withoutBackups())
                        .timeSteps(3)
                        .workers(9, 6, 2, 12)
                        .slowed(50)
                        .holders(2),
                faulty("steps-crash-in-commit-spooled", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .timeSteps(3)
                        .holders(1),
                faulty("steps-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .timeSteps(3)
                        .workers(9, 6, 3, 12)
                        .holders(2),
                faulty("steps-crash-half-late-backups", FaultPlan.of(FaultPlan.FaultKind.HALF))
                        .timeSteps(3)
                        .broken(InjectedFault.LATE_BACKUPS),
                faulty("steps-crash-after-commit-late-parts", FaultPlan.of(FaultPlan.FaultKind.AFTER_COMMIT))
                        .timeSteps(3)
                        .broken(InjectedFault.LATE_BACKUPS_AND_PARTS),
                faulty("steps-crash-all", FaultPlan.of(FaultPlan.FaultKind.ALL)).timeSteps(3),
                faulty("steps-suspend", FaultPlan.of(FaultPlan.FaultKind.SUSPEND))
                        .timeSteps(3),
                faulty("steps-storm", FaultPlan.of(FaultPlan.FaultKind.STORM).withDrift(0.01))
                        .timeSteps(3)
                        .network(ROUGH, ROUGH),
                faulty(
                                "steps-anything",
                                FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withDrift(0.02))
                        .timeSteps(3)
                        .network(ROUGH, ROUGH)
                        .slowed(3));
    }
}
