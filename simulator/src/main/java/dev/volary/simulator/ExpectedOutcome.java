// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.NetworkModel;
import dev.volary.simulator.scenario.Scenario;
import java.util.Optional;

/** How the runs of a scenario may end. */
final class ExpectedOutcome {
    private final Scenario scenario;
    private final long digestOfCalmRun;

    /** Runs a synchronous job once without faults: whatever happens on the way, all others deliver the same bits. */
    ExpectedOutcome(Scenario scenario) {
        this.scenario = scenario;
        this.digestOfCalmRun = scenario.rollsBack()
                ? Simulation.of(scenario.with(FaultPlan.NONE).network(NetworkModel.NONE, NetworkModel.NONE), 1)
                        .run()
                        .digest()
                : 0;
    }

    /** What is wrong with a run; empty if it holds all invariants and ends as it may. */
    Optional<String> complaint(SimulationReport report) {
        if (!report.violations().isEmpty() || report.outcome().isEmpty()) {
            return Optional.of(report.toString());
        }
        return wrong(report, report.outcome().get())
                .map(wrong -> report + "\n  " + wrong + "\n  again: " + report.reproduction());
    }

    private Optional<String> wrong(SimulationReport report, JobOutcome outcome) {
        if (scenario.rollsBack() && outcome instanceof JobOutcome.Certified && report.digest() != digestOfCalmRun) {
            return Optional.of("delivers other bits than without faults");
        }
        if (scenario.name().equals("stale") && report.fenced() == 0) {
            return Optional.of("has not refused a stale process");
        }
        return mayEnd(outcome, report) ? Optional.empty() : Optional.of("must not end like this");
    }

    private boolean mayEnd(JobOutcome outcome, SimulationReport report) {
        return switch (scenario.defect()) {
            case NONE,
                    COLD_STORE,
                    SLOW_HOLDERS,
                    LATE_HOLDERS,
                    LATE_BACKUPS,
                    LATE_BACKUPS_AND_PARTS,
                    OLD_BACKUPS,
                    SLOW_REPLACEMENT,
                    FETCHES_IN_PIECES,
                    STORES_TIME_OUT,
                    VOLUME_OUTAGE ->
                scenario.faultPlan().kind() == FaultPlan.FaultKind.NONE
                        ? mayEndWithoutFaults(outcome)
                        : mayEndWithFaults(outcome);
            case LINK_STUCK_FOR_A_WHILE -> outcome instanceof JobOutcome.Certified;
            case LINK_STUCK_FOREVER ->
                outcome instanceof JobOutcome.NotConverged end && end.residual() == Double.POSITIVE_INFINITY;
            // An edge inside one daemon does not cross the network, so it cannot go deaf.
            case DEAF_EDGE ->
                !(outcome instanceof JobOutcome.NotConverged end)
                        || (Double.isFinite(end.residual()) && report.stalls() > 0);
            case NAN_IN_ITERATION, NAN_IN_RESIDUAL, CANNOT_OPEN -> hasFailedBecauseOf(outcome, "block");
            case CANNOT_STORE, CANNOT_ASSEMBLE -> hasFailedBecauseOf(outcome, "full disk");
            case DAEMON_MISSING -> hasFailedBecauseOf(outcome, "3 of 4 daemons");
        };
    }

    private static boolean hasFailedBecauseOf(JobOutcome outcome, String cause) {
        return outcome instanceof JobOutcome.Failed failed && failed.reason().contains(cause);
    }

    private boolean mayEndWithoutFaults(JobOutcome outcome) {
        return scenario.deadline().isEmpty()
                ? outcome instanceof JobOutcome.Certified
                : outcome instanceof JobOutcome.NotConverged;
    }

    /**
     * Certified, unless the job cannot go on, or never was complete and no worker replaces a missing one. Groups lend each other
     * daemons: none starves while daemons are left, or join.
     */
    private boolean mayEndWithFaults(JobOutcome outcome) {
        FaultPlan faults = scenario.faultPlan();
        boolean isPoisoned = faults.kind() == FaultPlan.FaultKind.POISON;
        return switch (outcome) {
            case JobOutcome.Certified certified -> !isPoisoned;
            case JobOutcome.Failed failed -> {
                boolean isIncomplete = !faults.restarts()
                        && (failed.reason().contains("daemons and")
                                || failed.reason().contains("have had no daemon"));
                boolean cannotGoBack = scenario.scheme() == Scheme.SYNCHRONOUS
                        && failed.reason().contains("has time steps cannot go back");
                yield isIncomplete
                        || cannotGoBack
                        || (isPoisoned && failed.reason().contains("block"));
            }
            case JobOutcome.NotConverged end -> scenario.deadline().isPresent() && end.hasResult();
        };
    }
}
