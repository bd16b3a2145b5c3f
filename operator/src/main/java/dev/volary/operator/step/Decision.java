package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import java.util.List;

/** What follows from what is seen of a job: which steps are taken in which phase. */
public final class Decision {
    private static final List<Step> WAITING = List.of(new Accept(), new ShowFailedAttempt(), new CheckSpec());
    private static final List<Step> ACTIVE = List.of(
            new Accept(),
            new ShowFailedAttempt(),
            new CheckSpec(),
            new CountLosses(),
            new ReadReport(),
            new FailOnRetries(),
            new FailOnDeadline(),
            new SuspendJob(),
            new AnswerCheckpointRequest(),
            new KeepObjects(),
            new KeepCrew(),
            new PassHints(),
            new JudgeConditions());
    private static final List<Step> SUSPENDED =
            List.of(new Accept(), new ShowFailedAttempt(), new CheckSpec(), new ResumeJob(), new JudgeConditions());
    private static final List<Step> FINAL =
            List.of(new Accept(), new ShowFailedAttempt(), new JudgeResult(), new CleanUp(), new Expire());

    private Decision() {}

    /** Decides; the same input gives the same decision. */
    public static Draft on(Seen seen) {
        Draft draft = new Draft(seen);
        for (Step step : steps(seen)) {
            step.take(seen, draft);
            if (draft.phase().isFinal() && !seen.phase().isFinal()) {
                break; // what is left to do is decided once this is written
            }
        }
        return draft;
    }

    /** Only shows that an attempt failed: nothing else is known to be right. */
    public static Draft onFailure(Seen seen) {
        Draft draft = new Draft(seen);
        new ShowFailedAttempt().take(seen, draft);
        return draft;
    }

    private static List<Step> steps(Seen seen) {
        Phase phase = seen.phase();
        return switch (phase) {
            case Pending -> seen.faults().isEmpty() ? ACTIVE : WAITING;
            case Forming, Running, Suspending -> ACTIVE;
            case Suspended -> SUSPENDED;
            case Succeeded, Failed -> FINAL;
        };
    }
}
