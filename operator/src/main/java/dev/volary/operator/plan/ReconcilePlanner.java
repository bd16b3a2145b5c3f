// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import java.util.List;

/** Plans what to do for a job: applies the steps of its phase to an observation. Pure. */
public final class ReconcilePlanner {
    private static final List<ReconcileStep> WAITING =
            List.of(new InitializeStatus(), new ShowFailedAttempt(), new ValidateSpec());
    private static final List<ReconcileStep> ACTIVE = List.of(
            new InitializeStatus(),
            new ShowFailedAttempt(),
            new ValidateSpec(),
            new RecordLosses(),
            new ApplyJobReport(),
            new EnforceLimits(),
            new SuspendJob(),
            new AnswerCheckpointRequest(),
            new EnsureResources(),
            new ScaleWorkers(),
            new ForwardPlatformHints(),
            new UpdateConditions());
    private static final List<ReconcileStep> SUSPENDED = List.of(
            new InitializeStatus(),
            new ShowFailedAttempt(),
            new ValidateSpec(),
            new ResumeJob(),
            new UpdateConditions());
    private static final List<ReconcileStep> FINAL = List.of(
            new InitializeStatus(),
            new ShowFailedAttempt(),
            new JudgeResult(),
            new ReplaceHolders(),
            new CleanUpFinishedJob());

    private ReconcilePlanner() {}

    /** Plans for an observation; equal observations give equal plans. */
    public static ReconcilePlan plan(JobObservation observation) {
        ReconcilePlan plan = new ReconcilePlan(observation);
        for (ReconcileStep step : steps(observation)) {
            step.apply(observation, plan);
            if (plan.phase().isFinal() && !observation.phase().isFinal()) {
                break; // the steps of a finished job follow once this status is written
            }
        }
        return plan;
    }

    /** Plans after a failed reconciliation: only shows the failure, since the observation may be incomplete. */
    public static ReconcilePlan planAfterFailure(JobObservation observation) {
        ReconcilePlan plan = new ReconcilePlan(observation);
        new ShowFailedAttempt().apply(observation, plan);
        return plan;
    }

    private static List<ReconcileStep> steps(JobObservation observation) {
        Phase phase = observation.phase();
        return switch (phase) {
            case Pending -> observation.errors().isEmpty() ? ACTIVE : WAITING;
            case Forming, Running, Suspending -> ACTIVE;
            case Suspended -> SUSPENDED;
            case Succeeded, Failed -> FINAL;
        };
    }
}
