package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.Spawners;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;

/** Takes a snapshot onto the checkpoint volume, then lets the pods go. A job that has not computed yet has nothing to keep. */
final class SuspendJob implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (!seen.spec().suspend()) {
            if (draft.phase() == Phase.Suspending) {
                letGo(seen, draft); // no deletion can be taken back: the job goes on when the last pod is gone
            } else {
                draft.condition(ConditionType.Suspended, false, Reason.NotSuspended, "");
            }
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
        if (seen.spec().checkpoint().volume() == null) {
            refused(draft, "spec.checkpoint.volume is not given; the job goes on, delete it to stop it");
            return;
        }
        Optional<Spawners.Checkpoint> answer = seen.checkpoint();
        if (answer.isEmpty()) {
            waiting(draft);
            Requests.of(seen.job()).ifPresent(request -> draft.then(new Action.TakeCheckpoint(request)));
            draft.lookAgain(Duration.ofSeconds(1));
        } else if (answer.get().taken()) {
            draft.enter(Phase.Suspending, Reason.Suspending, answer.get().message());
            draft.change(next -> next.lastCheckpointTime =
                    seen.now().truncatedTo(ChronoUnit.SECONDS).toString());
            draft.then(new Action.Tell(Happening.Suspending, answer.get().message()));
            letGo(seen, draft);
        } else {
            refused(draft, answer.get().message());
        }
    }

    /** The job goes on. The condition says why as long as it is so, the event says it once. */
    private static void refused(Draft draft, String why) {
        boolean known = Conditions.find(draft.status().conditions(), ConditionType.Suspended)
                .filter(c -> Reason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        draft.condition(ConditionType.Suspended, false, Reason.NoCheckpoint, why);
        if (!known) {
            draft.then(new Action.Tell(Happening.CheckpointRefused, why));
        }
    }

    /** A refusal stays in sight while a snapshot is tried again. */
    private static void waiting(Draft draft) {
        boolean refused = Conditions.find(draft.status().conditions(), ConditionType.Suspended)
                .filter(c -> Reason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        if (!refused) {
            draft.condition(ConditionType.Suspended, false, Reason.Suspending, "");
        }
    }

    private static void letGo(Seen seen, Draft draft) {
        draft.change(next -> next.roster = null);
        if (seen.pods().isEmpty()) {
            suspended(draft, "no pod is left");
            return;
        }
        draft.condition(ConditionType.Suspended, false, Reason.Suspending, "");
        // Spawners first: without them no checkpoint is made of blocks that are being handed over.
        seen.pods().stream()
                .filter(p -> !p.deleting())
                .sorted(Comparator.comparing(p -> p.pod().role() != Role.SPAWNER))
                .forEach(p -> draft.then(new Action.DeletePod(p)));
    }

    private static void suspended(Draft draft, String message) {
        draft.enter(Phase.Suspended, Reason.NoPods, message);
        draft.condition(ConditionType.Suspended, true, Reason.NoPods, "");
        draft.then(new Action.WithdrawLead());
        draft.then(new Action.Tell(Happening.Suspended, message));
    }
}
