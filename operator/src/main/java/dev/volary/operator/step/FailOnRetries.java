package dev.volary.operator.step;

import dev.volary.operator.job.Reason;

/** Ends a job whose workers fail again and again by themselves. */
final class FailOnRetries implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        Integer used = draft.status().retriesUsed();
        int allowed = seen.spec().failurePolicy().maxRetries();
        if (used != null && used > allowed) {
            Ending.fail(
                    draft,
                    Reason.RetriesExhausted,
                    "workers failed " + used + " times, spec.failurePolicy.maxRetries is " + allowed
                            + "; read the logs of the pods that failed");
        }
    }
}
