package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import java.time.temporal.ChronoUnit;

/** Takes a new job up, and notes which generation of its spec the status speaks of. */
final class Accept implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (seen.status().phase() == null) {
            draft.enter(Phase.Pending, Reason.Forming, "accepted");
            draft.change(next -> {
                next.startTime = seen.now().truncatedTo(ChronoUnit.SECONDS).toString();
                next.selector = Labels.daemonSelector(seen.name());
                next.serials = new JobStatus.Serials(-1, -1);
                next.replacements = new JobStatus.Replacements(0, 0, 0, 0);
                next.retriesUsed = 0;
            });
            draft.then(new Action.Tell(Happening.Accepted, "the operator has taken the job up"));
        }
        draft.change(next -> next.observedGeneration = seen.generation());
    }
}
