// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.spawner.SpawnerClients;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Has a snapshot taken for each new value of the annotation, and repeats the value when that was answered. */
final class AnswerCheckpointRequest implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        String request = Requests.of(seen.job()).orElse("");
        if (request.isEmpty()
                || request.equals(seen.status().checkpointRequest())
                || draft.phase() != Phase.Running
                || seen.spec().suspend()) {
            return;
        }
        Optional<SpawnerClients.Checkpoint> answer = seen.checkpoint();
        if (answer.isEmpty()) {
            draft.then(new OperatorAction.TakeCheckpoint(request));
            draft.lookAgain(Duration.ofSeconds(1));
            return;
        }
        boolean taken = answer.get().taken();
        draft.change(next -> {
            next.checkpointRequest = request;
            if (taken) {
                next.lastCheckpointTime =
                        seen.now().truncatedTo(ChronoUnit.SECONDS).toString();
            }
        });
        draft.then(new OperatorAction.Tell(
                taken ? EventReason.CheckpointTaken : EventReason.CheckpointRefused,
                answer.get().message()));
    }
}
