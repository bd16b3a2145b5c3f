// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;

/**
 * Suspends a job: saves a snapshot on the checkpoint volume, then deletes the pods. A job that has not iterated yet needs no
 * snapshot.
 */
final class SuspendJob implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        if (!observation.spec().suspend()) {
            if (plan.phase() == Phase.Suspending) {
                deletePods(
                        observation, plan); // deletions cannot be undone: the job resumes after the last pod is deleted
            } else {
                plan.condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
            }
            return;
        }
        switch (plan.phase()) {
            case Pending -> suspended(plan, "created with spec.suspend: true");
            case Forming -> {
                if (!observation.hasReconciled()) {
                    waiting(plan); // blocks may have iterated while no operator ran
                    plan.requeue(Duration.ofSeconds(1));
                    return;
                }
                plan.enter(Phase.Suspending, ConditionReason.Suspending, "no block has iterated yet");
                deletePods(observation, plan);
            }
            case Running -> takeCheckpoint(observation, plan);
            case Suspending -> deletePods(observation, plan);
            case Suspended, Succeeded, Failed -> {}
        }
    }

    private static void takeCheckpoint(JobObservation observation, ReconcilePlan plan) {
        if (!observation.spec().checkpoint().hasStorage()) {
            rejected(
                    plan,
                    "spec.checkpoint has no volume and no objectStore, so the job continues; delete the job to stop it");
            return;
        }
        Optional<SpawnerClients.Checkpoint> answer = observation.checkpoint();
        if (answer.isEmpty()) {
            waiting(plan);
            AnswerCheckpointRequest.requestOf(observation.job())
                    .ifPresent(request -> plan.add(new OperatorAction.TakeCheckpoint(request)));
            plan.requeue(Duration.ofSeconds(1));
        } else if (answer.get().taken()) {
            plan.enter(
                    Phase.Suspending, ConditionReason.Suspending, answer.get().message());
            plan.change(next -> next.lastCheckpointTime =
                    observation.now().truncatedTo(ChronoUnit.SECONDS).toString());
            plan.add(new OperatorAction.PublishEvent(
                    EventReason.Suspending, answer.get().message()));
            deletePods(observation, plan);
        } else {
            rejected(plan, answer.get().message());
        }
    }

    /** The job continues. Shows why: in the condition as long as it is so, and in one event. */
    private static void rejected(ReconcilePlan plan, String why) {
        boolean known = Conditions.find(plan.status().conditions(), ConditionType.Suspended)
                .filter(c -> ConditionReason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        plan.condition(ConditionType.Suspended, false, ConditionReason.NoCheckpoint, why);
        if (!known) {
            plan.add(new OperatorAction.PublishEvent(EventReason.CheckpointRefused, why));
        }
    }

    /** Keeps a rejection visible while a further snapshot is attempted. */
    private static void waiting(ReconcilePlan plan) {
        boolean isRejected = Conditions.find(plan.status().conditions(), ConditionType.Suspended)
                .filter(c -> ConditionReason.NoCheckpoint.name().equals(c.getReason()))
                .isPresent();
        if (!isRejected) {
            plan.condition(ConditionType.Suspended, false, ConditionReason.Suspending, "");
        }
    }

    private static void deletePods(JobObservation observation, ReconcilePlan plan) {
        plan.change(next -> next.roster = null);
        if (observation.pods().isEmpty()) {
            suspended(plan, "all pods are deleted");
            return;
        }
        plan.condition(ConditionType.Suspended, false, ConditionReason.Suspending, "");
        // spawners first, so that no checkpoint is taken of blocks that are being handed over
        observation.pods().stream()
                .filter(p -> !p.deleting())
                .sorted(Comparator.comparing(p -> p.pod().role() != PodRole.SPAWNER))
                .forEach(p -> plan.add(new OperatorAction.DeletePod(p)));
    }

    private static void suspended(ReconcilePlan plan, String message) {
        plan.enter(Phase.Suspended, ConditionReason.NoPods, message);
        plan.condition(ConditionType.Suspended, true, ConditionReason.NoPods, "");
        plan.add(new OperatorAction.ClearLeader());
        plan.add(new OperatorAction.PublishEvent(EventReason.Suspended, message));
    }
}
