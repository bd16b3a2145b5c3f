// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Phase;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Requests a snapshot for each new value of the annotation, and copies the value into the status once it was answered. */
public final class AnswerCheckpointRequest implements ReconcileStep {
    /**
     * The name of the requested snapshot; empty if none is requested. Each name gets one snapshot: each suspension has its own,
     * and so has each value of the annotation.
     */
    public static Optional<String> requestOf(IterativeJob job) {
        if (job.getSpec().suspend()) {
            return Optional.of("spec.suspend of generation " + job.getMetadata().getGeneration());
        }
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        return annotations == null
                ? Optional.empty()
                : Optional.ofNullable(annotations.get(IterativeJob.CHECKPOINT_REQUEST));
    }

    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        String request = AnswerCheckpointRequest.requestOf(observation.job()).orElse("");
        if (request.isEmpty()
                || request.equals(observation.status().checkpointRequest())
                || plan.phase() != Phase.Running
                || observation.spec().suspend()) {
            return;
        }
        Optional<SpawnerClients.Checkpoint> answer = observation.checkpoint();
        if (answer.isEmpty()) {
            plan.add(new OperatorAction.TakeCheckpoint(request));
            plan.requeue(Duration.ofSeconds(1));
            return;
        }
        boolean taken = answer.get().taken();
        plan.change(next -> {
            next.checkpointRequest = request;
            if (taken) {
                next.lastCheckpointTime =
                        observation.now().truncatedTo(ChronoUnit.SECONDS).toString();
            }
        });
        plan.add(new OperatorAction.PublishEvent(
                taken ? EventReason.CheckpointTaken : EventReason.CheckpointRefused,
                answer.get().message()));
    }
}
