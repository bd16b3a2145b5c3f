package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.Happening;
import dev.volary.operator.spawner.Spawners;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Has a snapshot taken for each new value of the annotation, and repeats the value when that was answered. */
final class AnswerCheckpointRequest implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        String request = Requests.of(seen.job()).orElse("");
        if (request.isEmpty()
                || request.equals(seen.status().checkpointRequest())
                || draft.phase() != Phase.Running
                || seen.spec().suspend()) {
            return;
        }
        Optional<Spawners.Checkpoint> answer = seen.checkpoint();
        if (answer.isEmpty()) {
            draft.then(new Action.TakeCheckpoint(request));
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
        draft.then(new Action.Tell(
                taken ? Happening.CheckpointTaken : Happening.CheckpointRefused,
                answer.get().message()));
    }
}
