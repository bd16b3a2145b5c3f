// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.SpawnerClients;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;

/** Takes a snapshot onto the checkpoint volume, then lets the pods go. A job that has not computed yet has nothing to keep. */
final class SuspendJob implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        if (!seen.spec().suspend()) {
            if (draft.phase() == Phase.Suspending) {
                letGo(seen, draft); // no deletion can be taken back: the job goes on when the last pod is gone
            } else {
                draft.condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
            }
            return;
        }
        switch (draft.phase()) {
            case Pending -> suspended(draft, "created with spec.suspend: true");
            case Forming -> {
                draft.enter(Phase.Suspending, ConditionReason.Suspending, "no block has iterated yet");
                letGo(seen, draft);
            }
            case Running -> checkpointFirst(seen, draft);
            case Suspending -> letGo(seen, draft);
            case Suspended, Succeeded, Failed -> {}
        }
    }

    private static void checkpointFirst(JobObservation seen, ReconcilePlan draft) {
        if (seen.spec().checkpoint().volume() == null) {
            refused(draft, "spec.checkpoint.volume is not given; the job goes on, delete it to stop it");
            return;
        }
        Optional<SpawnerClients.Checkpoint> answer = seen.checkpoint();
        if (answer.isEmpty()) {
            waiting(draft);
            Requests.of(seen.job()).ifPresent(request -> draft.then(new OperatorAction.TakeCheckpoint(request)));
            draft.lookAgain(Duration.ofSeconds(1));
        } else if (answer.get().taken()) {
            draft.enter(
                    Phase.Suspending, ConditionReason.Suspending, answer.get().message());
            draft.change(next -> next.lastCheckpointTime =
                    seen.now().truncatedTo(ChronoUnit.SECONDS).toString());
            draft.then(
                    new OperatorAction.Tell(EventReason.Suspending, answer.get().message()));
            letGo(seen, draft);
        } else {
            refused(draft, answer.get().message());
        }
    }

    /** The job goes on. The condition says why as long as it is so, the event says it once. */
    private static void refused(ReconcilePlan draft, String why) {
        boolean known = Conditions.find(draft.status().conditions(), ConditionType.Suspended)
                .filter(c -> ConditionReason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        draft.condition(ConditionType.Suspended, false, ConditionReason.NoCheckpoint, why);
        if (!known) {
            draft.then(new OperatorAction.Tell(EventReason.CheckpointRefused, why));
        }
    }

    /** A refusal stays in sight while a snapshot is tried again. */
    private static void waiting(ReconcilePlan draft) {
        boolean refused = Conditions.find(draft.status().conditions(), ConditionType.Suspended)
                .filter(c -> ConditionReason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        if (!refused) {
            draft.condition(ConditionType.Suspended, false, ConditionReason.Suspending, "");
        }
    }

    private static void letGo(JobObservation seen, ReconcilePlan draft) {
        draft.change(next -> next.roster = null);
        if (seen.pods().isEmpty()) {
            suspended(draft, "no pod is left");
            return;
        }
        draft.condition(ConditionType.Suspended, false, ConditionReason.Suspending, "");
        // Spawners first: without them no checkpoint is made of blocks that are being handed over.
        seen.pods().stream()
                .filter(p -> !p.deleting())
                .sorted(Comparator.comparing(p -> p.pod().role() != Role.SPAWNER))
                .forEach(p -> draft.then(new OperatorAction.DeletePod(p)));
    }

    private static void suspended(ReconcilePlan draft, String message) {
        draft.enter(Phase.Suspended, ConditionReason.NoPods, message);
        draft.condition(ConditionType.Suspended, true, ConditionReason.NoPods, "");
        draft.then(new OperatorAction.WithdrawLead());
        draft.then(new OperatorAction.Tell(EventReason.Suspended, message));
    }
}
