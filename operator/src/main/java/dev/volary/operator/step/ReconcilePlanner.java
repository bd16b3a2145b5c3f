// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import java.util.List;

/** What follows from what is seen of a job: which steps are taken in which phase. */
public final class ReconcilePlanner {
    private static final List<ReconcileStep> WAITING =
            List.of(new InitializeStatus(), new ShowFailedAttempt(), new ValidateSpec());
    private static final List<ReconcileStep> ACTIVE = List.of(
            new InitializeStatus(),
            new ShowFailedAttempt(),
            new ValidateSpec(),
            new RecordLosses(),
            new ApplyJobReport(),
            new FailOnRetries(),
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
            new InitializeStatus(), new ShowFailedAttempt(), new JudgeResult(), new CleanUpFinishedJob(), new Expire());

    private ReconcilePlanner() {}

    /** Decides; the same input gives the same decision. */
    public static ReconcilePlan on(JobObservation seen) {
        ReconcilePlan draft = new ReconcilePlan(seen);
        for (ReconcileStep step : steps(seen)) {
            step.take(seen, draft);
            if (draft.phase().isFinal() && !seen.phase().isFinal()) {
                break; // what is left to do is decided once this is written
            }
        }
        return draft;
    }

    /** Only shows that an attempt failed: nothing else is known to be right. */
    public static ReconcilePlan onFailure(JobObservation seen) {
        ReconcilePlan draft = new ReconcilePlan(seen);
        new ShowFailedAttempt().take(seen, draft);
        return draft;
    }

    private static List<ReconcileStep> steps(JobObservation seen) {
        Phase phase = seen.phase();
        return switch (phase) {
            case Pending -> seen.faults().isEmpty() ? ACTIVE : WAITING;
            case Forming, Running, Suspending -> ACTIVE;
            case Suspended -> SUSPENDED;
            case Succeeded, Failed -> FINAL;
        };
    }
}
