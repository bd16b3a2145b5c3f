// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies the report of the spawners into the status: progress and outcome. */
final class ApplyJobReport implements ReconcileStep {
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(30);

    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        applyResult(observation, plan);
        observation.report().ifPresent(report -> {
            progress(observation, plan, report);
            publication(observation, plan, report);
            if (plan.phase() == Phase.Suspending) {
                return; // reports of workers that are being deleted do not count: the checkpoint does
            }
            if (report.outcome().isPresent()) {
                end(observation, plan, report.outcome().get(), report);
            } else if (report.stage() == JobReport.Stage.RUNNING && plan.phase() == Phase.Forming) {
                plan.enter(Phase.Running, ConditionReason.EnoughDaemons, "all blocks iterate");
                plan.add(new OperatorAction.PublishEvent(EventReason.Running, "all blocks iterate"));
            }
        });
    }

    /** Copies where the result is. A result that was fetched, or brought to a place, stays so. */
    static void applyResult(JobObservation observation, ReconcilePlan plan) {
        observation
                .report()
                .ifPresent(report -> plan.change(next -> {
                    next.resultFetched = report.fetched() || Boolean.TRUE.equals(next.resultFetched);
                    next.resultLocation = report.results().location().orElse(next.resultLocation);
                }));
    }

    private static void progress(JobObservation observation, ReconcilePlan plan, JobReport report) {
        double scale = scale(observation, report);
        plan.change(next -> {
            next.iterations = Math.max(report.iterations(), next.iterations == null ? 0 : next.iterations);
            next.leader = report.leader().isEmpty() ? next.leader : report.leader();
            if (report.blocks() > 0) {
                next.blocks = report.blocks();
            }
            if (report.tolerance() > 0) {
                next.tolerance = number(report.tolerance() / scale);
            }
            if (Double.isFinite(report.residual())) {
                next.certifiedResidual = number(report.residual() / scale);
            }
            next.predictedCompletionTime = report.predictedEnd()
                    .filter(end -> plan.phase() == Phase.Running)
                    .map(end -> end.truncatedTo(ChronoUnit.SECONDS).toString())
                    .orElse(null);
            report.checkpointAt()
                    .filter(at -> isNews(at, next.lastCheckpointTime))
                    .ifPresent(at -> next.lastCheckpointTime =
                            at.truncatedTo(ChronoUnit.SECONDS).toString());
        });
    }

    /** Shows that the result could not be brought to the storage that the job names; the leader tries again. */
    private static void publication(JobObservation observation, ReconcilePlan plan, JobReport report) {
        Optional<String> failure = report.results().failure().filter(reason -> plan.phase() == Phase.Running);
        if (failure.isPresent()) {
            if (!Conditions.show(observation.status().conditions(), ConditionReason.PublicationFailed)) {
                plan.add(new OperatorAction.PublishEvent(EventReason.PublicationFailed, failure.get()));
            }
            plan.condition(ConditionType.ResultAvailable, false, ConditionReason.PublicationFailed, failure.get());
        }
    }

    private static void end(JobObservation observation, ReconcilePlan plan, JobReport.End end, JobReport report) {
        double scale = scale(observation, report);
        switch (end) {
            case JobReport.End.Certified certified -> {
                String residual = number(certified.residual() / scale);
                String message = "certified residual " + residual;
                plan.change(next -> next.certifiedResidual = residual);
                plan.enter(Phase.Succeeded, ConditionReason.Certified, message);
                plan.condition(ConditionType.Converged, true, ConditionReason.Certified, message);
                plan.condition(ConditionType.Complete, true, ConditionReason.Certified, message);
                plan.condition(ConditionType.Ready, true, ConditionReason.Finished, "");
                plan.resume();
                plan.condition(ConditionType.Degraded, false, ConditionReason.Finished, "");
                plan.condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
                plan.condition(ConditionType.Failed, false, ConditionReason.NotFailed, "");
                plan.add(new OperatorAction.PublishEvent(EventReason.Succeeded, message));
            }
            case JobReport.End.NotConverged late
            when Double.isFinite(late.residual()) -> {
                String residual = number(late.residual() / scale);
                plan.change(next -> next.certifiedResidual = residual);
                plan.fail(
                        ConditionReason.NotConverged,
                        "spec.activeDeadlineSeconds expired; the result is the best answer that was reached, with residual "
                                + residual + " after about " + late.iterations() + " iterations of a block");
            }
            case JobReport.End.NotConverged late ->
                plan.fail(
                        ConditionReason.DeadlineExceeded,
                        "spec.activeDeadlineSeconds expired before any snapshot was complete; raise it");
            case JobReport.End.Failed failed -> plan.fail(ConditionReason.JobFailed, failed.reason());
        }
    }

    /** Periodic checkpoints may be frequent: not each is worth a write of the status. */
    private static boolean isNews(Instant checkpoint, @Nullable String last) {
        return last == null || Duration.between(Instant.parse(last), checkpoint).compareTo(CHECKPOINT_INTERVAL) >= 0;
    }

    private static double scale(JobObservation observation, JobReport report) {
        return observation.spec().convergence().norm() == ConvergenceSpec.Norm.Relative && report.scale() > 0
                ? report.scale()
                : 1;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3e", value);
    }
}
