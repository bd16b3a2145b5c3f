// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.spawner.JobReport;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes over what the spawners say: progress, and the end. */
final class ApplyJobReport implements ReconcileStep {
    private static final Duration CHECKPOINT_NEWS = Duration.ofSeconds(30);

    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        seen.report().ifPresent(report -> {
            progress(seen, draft, report);
            if (draft.phase() == Phase.Suspending) {
                return; // what its last workers say while they are deleted decides nothing: the checkpoint does
            }
            if (report.outcome().isPresent()) {
                end(seen, draft, report.outcome().get(), report);
            } else if (report.stage() == JobReport.Stage.RUNNING && draft.phase() == Phase.Forming) {
                draft.enter(Phase.Running, ConditionReason.EnoughDaemons, "all blocks iterate");
                draft.then(new OperatorAction.Tell(EventReason.Running, "all blocks iterate"));
            }
        });
    }

    private static void progress(JobObservation seen, ReconcilePlan draft, JobReport report) {
        double unit = unit(seen, report);
        draft.change(next -> {
            next.iterations = Math.max(report.iterations(), next.iterations == null ? 0 : next.iterations);
            next.leader = report.lead().isEmpty() ? next.leader : report.lead();
            next.resultFetched = report.fetched() || Boolean.TRUE.equals(next.resultFetched);
            if (report.blocks() > 0) {
                next.blocks = report.blocks();
            }
            if (report.tolerance() > 0) {
                next.tolerance = number(report.tolerance() / unit);
            }
            if (Double.isFinite(report.residual())) {
                next.certifiedResidual = number(report.residual() / unit);
            }
            report.checkpointAt()
                    .filter(at -> isNews(at, next.lastCheckpointTime))
                    .ifPresent(at -> next.lastCheckpointTime =
                            at.truncatedTo(ChronoUnit.SECONDS).toString());
        });
    }

    private static void end(JobObservation seen, ReconcilePlan draft, JobReport.End end, JobReport report) {
        double unit = unit(seen, report);
        switch (end) {
            case JobReport.End.Certified certified -> {
                String residual = number(certified.residual() / unit);
                String message = "certified residual " + residual;
                draft.change(next -> next.certifiedResidual = residual);
                draft.enter(Phase.Succeeded, ConditionReason.Certified, message);
                draft.condition(ConditionType.Converged, true, ConditionReason.Certified, message);
                draft.condition(ConditionType.Ready, false, ConditionReason.Finished, "");
                draft.condition(ConditionType.Degraded, false, ConditionReason.Finished, "");
                draft.condition(ConditionType.Failed, false, ConditionReason.NotFailed, "");
                draft.then(new OperatorAction.Tell(EventReason.Succeeded, message));
            }
            case JobReport.End.NotConverged open -> {
                String message = "the deadline came at residual " + number(open.residual() / unit);
                Ending.fail(draft, ConditionReason.NotConverged, message);
            }
            case JobReport.End.Failed failed -> Ending.fail(draft, ConditionReason.JobFailed, failed.reason());
        }
    }

    /** Checkpoints nobody has asked for may be many: not each is worth a patch. */
    private static boolean isNews(Instant checkpoint, @Nullable String last) {
        return last == null || Duration.between(Instant.parse(last), checkpoint).compareTo(CHECKPOINT_NEWS) >= 0;
    }

    private static double unit(JobObservation seen, JobReport report) {
        return seen.spec().convergence().norm() == ConvergenceSpec.Norm.Relative && report.scale() > 0
                ? report.scale()
                : 1;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3e", value);
    }
}
