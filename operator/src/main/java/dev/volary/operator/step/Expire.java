package dev.volary.operator.step;

import dev.volary.operator.job.Happening;
import java.time.Duration;
import java.time.Instant;

/** Deletes a finished job when its time is over. */
final class Expire implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        Integer ttl = seen.spec().ttlSecondsAfterFinished();
        String completed = seen.status().completionTime();
        if (ttl == null || completed == null) {
            return;
        }
        Duration left = Duration.ofSeconds(ttl).minus(Duration.between(Instant.parse(completed), seen.now()));
        if (left.isZero() || left.isNegative()) {
            draft.then(new Action.Tell(
                    Happening.Expired, "finished for longer than spec.ttlSecondsAfterFinished, which is " + ttl));
            draft.then(new Action.DeleteJob());
        } else {
            draft.lookAgain(left);
        }
    }
}
