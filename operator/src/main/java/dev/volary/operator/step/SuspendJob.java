package dev.volary.operator.step;

import dev.volary.crd.api.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import dev.volary.operator.spawner.Spawners;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Takes a snapshot onto the checkpoint volume, then lets the pods go. A job that has not computed yet has nothing to keep. */
final class SuspendJob implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (!seen.spec().suspend()) {
            if (draft.phase() == Phase.Suspending) {
                draft.enter(Phase.Forming, Reason.Forming, "spec.suspend is false again");
            }
            draft.condition(ConditionType.Suspended, false, Reason.NotSuspended, "");
            return;
        }
        switch (draft.phase()) {
            case Pending -> suspended(draft, "created with spec.suspend: true");
            case Forming -> {
                draft.enter(Phase.Suspending, Reason.Suspending, "no block has iterated yet");
                letGo(seen, draft);
            }
            case Running -> checkpointFirst(seen, draft);
            case Suspending -> letGo(seen, draft);
            case Suspended, Succeeded, Failed -> {}
        }
    }

    private static void checkpointFirst(Seen seen, Draft draft) {
        if (!seen.abilities().volumes()) {
            draft.condition(
                    ConditionType.Suspended,
                    false,
                    Reason.NoCheckpoint,
                    "workers of this version cannot write a snapshot to a volume; the job goes on, delete it to stop it");
            return;
        }
        Optional<Spawners.Checkpoint> answer = seen.checkpoint();
        if (answer.isEmpty()) {
            draft.condition(ConditionType.Suspended, false, Reason.Suspending, "");
            Requests.of(seen.job()).ifPresent(request -> draft.then(new Action.TakeCheckpoint(request)));
            draft.lookAgain(Duration.ofSeconds(1));
        } else if (answer.get().taken()) {
            draft.enter(Phase.Suspending, Reason.Suspending, answer.get().message());
            draft.change(next -> next.lastCheckpointTime =
                    seen.now().truncatedTo(ChronoUnit.SECONDS).toString());
            draft.then(new Action.Tell(Happening.Suspending, answer.get().message()));
            letGo(seen, draft);
        } else {
            draft.condition(
                    ConditionType.Suspended,
                    false,
                    Reason.NoCheckpoint,
                    answer.get().message());
        }
    }

    private static void letGo(Seen seen, Draft draft) {
        draft.change(next -> next.roster = null);
        if (seen.pods().isEmpty()) {
            suspended(draft, "no pod is left");
            return;
        }
        draft.condition(ConditionType.Suspended, false, Reason.Suspending, "");
        seen.pods().stream().filter(p -> !p.deleting()).forEach(p -> draft.then(new Action.DeletePod(p)));
    }

    private static void suspended(Draft draft, String message) {
        draft.enter(Phase.Suspended, Reason.NoPods, message);
        draft.condition(ConditionType.Suspended, true, Reason.NoPods, "");
        draft.then(new Action.Tell(Happening.Suspended, message));
    }
}
