// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;

/** Ends a job whose workers fail again and again by themselves. */
final class FailOnRetries implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        Integer used = draft.status().retriesUsed();
        int allowed = seen.spec().failurePolicy().maxRetries();
        if (used != null && used > allowed) {
            Ending.fail(
                    draft,
                    ConditionReason.RetriesExhausted,
                    "workers failed " + used + " times, spec.failurePolicy.maxRetries is " + allowed
                            + "; read the logs of the pods that failed");
        }
    }
}
