// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.EventReason;
import java.time.Duration;
import java.time.Instant;

/** Deletes a finished job when its time is over. */
final class Expire implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        Integer ttl = seen.spec().ttlSecondsAfterFinished();
        String completed = seen.status().completionTime();
        if (ttl == null || completed == null) {
            return;
        }
        Duration left = Duration.ofSeconds(ttl).minus(Duration.between(Instant.parse(completed), seen.now()));
        if (left.isZero() || left.isNegative()) {
            draft.then(new OperatorAction.Tell(
                    EventReason.Expired, "finished for longer than spec.ttlSecondsAfterFinished, which is " + ttl));
            draft.then(new OperatorAction.DeleteJob());
        } else {
            draft.lookAgain(left);
        }
    }
}
